package main

import (
	"context"
	"fmt"
	"os"

	api "example.com/company/client"
)

var company = os.Getenv("COMPANY")

func must[Reply any](reply Reply, _ any, err error) Reply {
	if err != nil {
		panic(err)
	}
	return reply
}

func main() {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	client := api.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), api.ContextAPIKeys, map[string]api.APIKey{
		"clientId":     {Key: os.Getenv("CLIENT_ID")},
		"clientSecret": {Key: os.Getenv("CLIENT_SECRET")},
	})
	refusal := func(body *api.CreateCustomerBody) api.Problem {
		_, _, err := client.CustomersAPI.CreateCustomer(ctx, company).CreateCustomerBody(*body).Execute()
		return err.(*api.GenericOpenAPIError).Model().(api.Problem)
	}

	line := api.NewInvoiceBodyItem("Press", 1, "NOS", 150000.01, 0)
	body := api.NewInvoiceBody(os.Getenv("CUSTOMER"), []api.InvoiceBodyItem{*line})
	body.SetApplyRoundOff(false)
	issued := must(client.InvoicesAPI.CreateInvoice(ctx, company).InvoiceBody(*body).Execute())
	read := must(client.InvoicesAPI.GetInvoice(ctx, company, issued.Data.Id).Execute())
	fmt.Printf("money %.2f\n", read.Data.TotalAmount)

	list := client.CustomersAPI.ListCustomers(ctx, company).Limit(1)
	first := must(list.Execute())
	second := must(list.Cursor(first.Paging.GetNextCursor()).Execute())
	fmt.Println("pages", first.Data[0].Name, second.Data[0].Name)

	fmt.Println("field", refusal(api.NewCreateCustomerBody("Asha", "Karnataka", "12")).Errors[0].Field)
	again := api.NewCreateCustomerBody("Asha", "Karnataka", "560001")
	again.SetGstin(os.Getenv("GSTIN"))
	fmt.Println("conflict", refusal(again).Code)

	resume, _ := os.Open(os.Getenv("RESUME"))
	form := client.RecruitmentAPI.ApplyForJob(ctx, company, os.Getenv("JOB"))
	received := must(form.FirstName("Asha").Email("asha@example.com").Resume(resume).Execute())
	fmt.Println("file", received.Data.Status)
}
