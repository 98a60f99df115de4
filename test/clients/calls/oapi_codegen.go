package main

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"

	api "example.com/company/client"
)

var company = os.Getenv("COMPANY")

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func sign(_ context.Context, request *http.Request) error {
	request.Header.Set("X-Client-Id", os.Getenv("CLIENT_ID"))
	request.Header.Set("X-Client-Secret", os.Getenv("CLIENT_SECRET"))
	return nil
}

func main() {
	ctx := context.Background()
	client := must(api.NewClientWithResponses(os.Getenv("BASE_URL"), api.WithRequestEditorFn(sign)))

	line := api.InvoiceBodyItem{ItemName: "Press", Quantity: 1, Unit: "NOS", UnitPrice: 150000.01}
	exact := false
	body := api.InvoiceBody{
		CustomerId: os.Getenv("CUSTOMER"), Items: []api.InvoiceBodyItem{line}, ApplyRoundOff: &exact,
	}
	issued := must(client.CreateInvoiceWithResponse(ctx, company, nil, body))
	read := must(client.GetInvoiceWithResponse(ctx, company, issued.JSON201.Data.Id))
	fmt.Printf("money %.2f\n", read.JSON200.Data.TotalAmount)

	one := api.LimitParameter(1)
	query := api.ListCustomersParams{Limit: &one}
	first := must(client.ListCustomersWithResponse(ctx, company, &query)).JSON200
	query.Cursor = first.Paging.NextCursor
	second := must(client.ListCustomersWithResponse(ctx, company, &query)).JSON200
	fmt.Println("pages", first.Data[0].Name, second.Data[0].Name)

	customer := api.CreateCustomerBody{Name: "Asha", State: "Karnataka", Pincode: "12"}
	refused := must(client.CreateCustomerWithResponse(ctx, company, nil, customer))
	fmt.Println("field", (*refused.JSON422.Errors)[0].Field)
	gstin := os.Getenv("GSTIN")
	customer.Pincode, customer.Gstin = "560001", &gstin
	again := must(client.CreateCustomerWithResponse(ctx, company, nil, customer))
	fmt.Println("conflict", again.JSON409.Code)

	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	writer.WriteField("first_name", "Asha")
	writer.WriteField("email", "asha@example.com")
	must(must(writer.CreateFormFile("resume", "resume.pdf")).Write(must(os.ReadFile(os.Getenv("RESUME")))))
	writer.Close()
	received := must(client.ApplyForJobWithBodyWithResponse(
		ctx, company, os.Getenv("JOB"), nil, writer.FormDataContentType(), &form,
	))
	fmt.Println("file", received.JSON201.Data.Status)
}
