<?php
use OpenAPI\Client\Api\{CustomersApi, InvoicesApi, RecruitmentApi};
use OpenAPI\Client\{ApiException, Configuration};
use OpenAPI\Client\Model\{CreateCustomerBody, InvoiceBody, InvoiceBodyItem, Problem};

require "GuzzleHttp/autoload.php";
spl_autoload_register(fn($class) => require "lib/" . strtr(substr($class, 15), "\\", "/") . ".php");
// PHP compiles a file as it is read: all of them, not only what these calls use.
foreach (glob("lib/{,*/}*.php", GLOB_BRACE) as $file) require_once $file;

$company = getenv("COMPANY");
$configuration = (new Configuration())
    ->setHost(getenv("BASE_URL"))
    ->setApiKey("X-Client-Id", getenv("CLIENT_ID"))
    ->setApiKey("X-Client-Secret", getenv("CLIENT_SECRET"));
$http = new GuzzleHttp\Client();
$customers = new CustomersApi($http, $configuration);
$invoices = new InvoicesApi($http, $configuration);

function refusal(array $fields): Problem
{
    try {
        $body = new CreateCustomerBody(["name" => "Asha", "state" => "Karnataka"] + $fields);
        $GLOBALS["customers"]->createCustomer($GLOBALS["company"], $body);
    } catch (ApiException $error) {
        return $error->getResponseObject();
    }
}

$line = ["item_name" => "Press", "quantity" => 1, "unit" => "NOS", "unit_price" => 150000.01, "tax_rate" => 0];
$body = ["customer_id" => getenv("CUSTOMER"), "items" => [new InvoiceBodyItem($line)], "apply_round_off" => false];
$issued = $invoices->createInvoice($company, new InvoiceBody($body));
echo "money ", $invoices->getInvoice($company, $issued->getData()->getId())->getData()->getTotalAmount(), "\n";

$first = $customers->listCustomers($company, limit: 1);
$second = $customers->listCustomers($company, limit: 1, cursor: $first->getPaging()->getNextCursor());
echo "pages ", $first->getData()[0]->getName(), " ", $second->getData()[0]->getName(), "\n";

echo "field ", refusal(["pincode" => "12"])->getErrors()[0]->getField(), "\n";
echo "conflict ", refusal(["pincode" => "560001", "gstin" => getenv("GSTIN")])->getCode(), "\n";

$resume = new SplFileObject(getenv("RESUME"));
$recruitment = new RecruitmentApi($http, $configuration);
$received = $recruitment->applyForJob($company, getenv("JOB"), "Asha", "asha@example.com", $resume);
echo "file ", $received->getData()->getStatus(), "\n";
