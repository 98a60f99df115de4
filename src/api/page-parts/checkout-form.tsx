type Step = { action: string; fields: Record<string, string>; label: string };

/** The step to a gateway without a page for each payment: its script takes the form's fields, or its own page the form. */
export function CheckoutForm({ action, fields, label }: Step) {
  return (
    <form method="post" action={action} data-checkout>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button type="submit">{label}</button>
    </form>
  );
}
