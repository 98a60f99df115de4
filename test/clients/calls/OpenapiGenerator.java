import java.io.File;
import org.openapitools.client.*;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

public class OpenapiGenerator {
  static final String COMPANY = System.getenv("COMPANY");
  static final ApiClient CLIENT = new ApiClient();
  static final CustomersApi CUSTOMERS = new CustomersApi(CLIENT);

  static Problem refusal(CreateCustomerBody body) throws Exception {
    try {
      CUSTOMERS.createCustomer(COMPANY, body.name("Asha").state("Karnataka"), null);
      throw new IllegalStateException("It was not refused.");
    } catch (ApiException error) {
      return Problem.fromJson(error.getResponseBody());
    }
  }

  public static void main(String[] words) throws Exception {
    CLIENT.setBasePath(System.getenv("BASE_URL"));
    CLIENT.addDefaultHeader("X-Client-Id", System.getenv("CLIENT_ID"));
    CLIENT.addDefaultHeader("X-Client-Secret", System.getenv("CLIENT_SECRET"));

    var line = new InvoiceBodyItem().itemName("Press").quantity(1.0).unit("NOS").unitPrice(150000.01);
    var body = new InvoiceBody().customerId(System.getenv("CUSTOMER")).applyRoundOff(false);
    var invoices = new InvoicesApi(CLIENT);
    var issued = invoices.createInvoice(COMPANY, body.addItemsItem(line.taxRate(0.0)), null, null);
    var read = invoices.getInvoice(COMPANY, issued.getData().getId());
    System.out.println("money " + read.getData().getTotalAmount());

    var first = CUSTOMERS.listCustomers(COMPANY, null, null, null, null, null, null, 1, null);
    var second = CUSTOMERS.listCustomers(COMPANY, null, null, null, null, null, null, 1, first.getPaging().getNextCursor());
    System.out.println("pages " + first.getData().get(0).getName() + " " + second.getData().get(0).getName());

    var pincode = refusal(new CreateCustomerBody().pincode("12"));
    System.out.println("field " + pincode.getErrors().get(0).getField());
    var again = refusal(new CreateCustomerBody().pincode("560001").gstin(System.getenv("GSTIN")));
    System.out.println("conflict " + again.getCode());

    var file = new File(System.getenv("RESUME"));
    var received = new RecruitmentApi(CLIENT).applyForJob(
        COMPANY, System.getenv("JOB"), "Asha", "asha@example.com", file,
        null, null, null, null, null, null, null, null, null, null, null);
    System.out.println("file " + received.getData().getStatus());
  }
}
