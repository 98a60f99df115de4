from os import environ
from pathlib import Path

import openapi_client as api

company = environ["COMPANY"]
key = {"clientId": environ["CLIENT_ID"], "clientSecret": environ["CLIENT_SECRET"]}
client = api.ApiClient(api.Configuration(host=environ["BASE_URL"], api_key=key))
customers, invoices = api.CustomersApi(client), api.InvoicesApi(client)


def refusal(**fields):
    try:
        customers.create_customer(company, api.CreateCustomerBody(name="Asha", state="Karnataka", **fields))
    except api.ApiException as error:
        return error.data


line = api.InvoiceBodyItem(item_name="Press", quantity=1, unit="NOS", unit_price=150000.01, tax_rate=0)
body = api.InvoiceBody(customer_id=environ["CUSTOMER"], items=[line], apply_round_off=False)
issued = invoices.create_invoice(company, body).data
print("money", invoices.get_invoice(company, issued.id).data.total_amount)

first = customers.list_customers(company, limit=1)
second = customers.list_customers(company, limit=1, cursor=first.paging.next_cursor)
print("pages", first.data[0].name, second.data[0].name)

# Its models may have no member `field`.
print("field", refusal(pincode="12").errors[0].var_field)
print("conflict", refusal(pincode="560001", gstin=environ["GSTIN"]).code)

jobs, resume = api.RecruitmentApi(client), ("resume.pdf", Path(environ["RESUME"]).read_bytes())
received = jobs.apply_for_job(company, environ["JOB"], "Asha", "asha@example.com", resume)
print("file", received.data.status)
