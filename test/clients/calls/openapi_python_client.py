from os import environ

from client import AuthenticatedClient
from client.api.customers import create_customer, list_customers
from client.api.invoices import create_invoice, get_invoice
from client.api.recruitment import apply_for_job
from client.models import ApplyForJobForm, CreateCustomerBody, InvoiceBody, InvoiceBodyItem
from client.types import File

company = environ["COMPANY"]
client = AuthenticatedClient(
    base_url=environ["BASE_URL"],
    headers={"X-Client-Id": environ["CLIENT_ID"]},
    auth_header_name="X-Client-Secret",
    prefix="",
    token=environ["CLIENT_SECRET"],
)


def refusal(**fields):
    body = CreateCustomerBody(name="Asha", state="Karnataka", **fields)
    return create_customer.sync(company, client=client, body=body)


line = InvoiceBodyItem(item_name="Press", quantity=1, unit="NOS", unit_price=150000.01, tax_rate=0)
body = InvoiceBody(customer_id=environ["CUSTOMER"], items=[line], apply_round_off=False)
issued = create_invoice.sync(company, client=client, body=body).data
print("money", get_invoice.sync(company, issued.id, client=client).data.total_amount)

first = list_customers.sync(company, client=client, limit=1)
second = list_customers.sync(company, client=client, limit=1, cursor=first.paging.next_cursor)
print("pages", first.data[0].name, second.data[0].name)

print("field", refusal(pincode="12").errors[0].field)
print("conflict", refusal(pincode="560001", gstin=environ["GSTIN"]).code)

resume = File(open(environ["RESUME"], "rb"), "resume.pdf", "application/pdf")
form = ApplyForJobForm(first_name="Asha", email="asha@example.com", resume=resume)
received = apply_for_job.sync(company, environ["JOB"], client=client, body=form)
print("file", received.data.status)
