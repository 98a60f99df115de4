package main

import (
	"context"
	"fmt"
	"os"

	"github.com/ogen-go/ogen/http"

	api "example.com/company/client"
)

var company = os.Getenv("COMPANY")

type key struct{ api.SecuritySource }

func (key) ClientId(context.Context, api.OperationName) (api.ClientId, error) {
	return api.ClientId{APIKey: os.Getenv("CLIENT_ID")}, nil
}

func (key) ClientSecret(context.Context, api.OperationName) (api.ClientSecret, error) {
	return api.ClientSecret{APIKey: os.Getenv("CLIENT_SECRET")}, nil
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	client := must(api.NewClient(os.Getenv("BASE_URL"), key{}))

	line := api.InvoiceBodyItem{ItemName: "Press", Quantity: 1, Unit: "NOS", UnitPrice: 150000.01}
	body := api.InvoiceBody{
		CustomerID: os.Getenv("CUSTOMER"), Items: []api.InvoiceBodyItem{line}, ApplyRoundOff: api.NewOptBool(false),
	}
	created := must(client.CreateInvoice(ctx, &body, api.CreateInvoiceParams{Company: company}))
	id := created.(*api.IssuedInvoiceReplyHeaders).Response.Data.ID
	read := must(client.GetInvoice(ctx, api.GetInvoiceParams{Company: company, ID: id}))
	fmt.Printf("money %.2f\n", read.(*api.InvoiceReplyHeaders).Response.Data.TotalAmount)

	query := api.ListCustomersParams{Company: company, Limit: api.NewOptInt32(1)}
	first := must(client.ListCustomers(ctx, query)).(*api.CustomerPageHeaders).Response
	query.Cursor = api.NewOptString(first.Paging.NextCursor.Value)
	second := must(client.ListCustomers(ctx, query)).(*api.CustomerPageHeaders).Response
	fmt.Println("pages", first.Data[0].Name, second.Data[0].Name)

	to := api.CreateCustomerParams{Company: company}
	customer := api.CreateCustomerBody{Name: "Asha", State: "Karnataka", Pincode: "12"}
	refused := must(client.CreateCustomer(ctx, &customer, to)).(*api.UnprocessableOfCreateCustomerHeaders)
	fmt.Println("field", refused.Response.Errors[0].Field)
	customer.Pincode, customer.Gstin = "560001", api.NewOptNilString(os.Getenv("GSTIN"))
	again := must(client.CreateCustomer(ctx, &customer, to)).(*api.ConflictOfCreateCustomerHeaders)
	fmt.Println("conflict", again.Response.Code)

	resume := http.MultipartFile{Name: "resume.pdf", File: must(os.Open(os.Getenv("RESUME")))}
	form := api.ApplyForJobFormMultipart{FirstName: "Asha", Email: "asha@example.com", Resume: resume}
	job := api.ApplyForJobParams{Company: company, Slug: os.Getenv("JOB")}
	received := must(client.ApplyForJob(ctx, &form, job)).(*api.ReceivedApplicationReplyHeaders)
	fmt.Println("file", received.Response.Data.Status)
}
