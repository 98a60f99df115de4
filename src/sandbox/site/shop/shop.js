// The shop in the browser: it shows, asks and follows. Keys and prices are the server's business.
const $ = (id) => document.getElementById(id);
/** What is in the basket, by product id, in the order in which it was put in: each product and how many of it. */
const cart = new Map();
/** The gift card that is bought instead, if one is. */
let giftCard;

// Where the payment page sent the shopper back to: placed, unpaid, or nowhere yet.
const GATEWAYS = { razorpay: "Razorpay", stripe: "Stripe", paypal: "PayPal" };
const returned = new URLSearchParams(location.search).get("order");
await (returned === null ? showStore() : followOrder()).catch(showProblem);

async function showStore() {
  $("basket").onsubmit = checkOut;
  // A shopper who sees the basket needs no note of it.
  const tell = ([{ isIntersecting }]) => ($("note").parentElement.hidden = isIntersecting);
  // In view is what has come up from the lower third of the screen: an edge of it at the bottom shows nothing.
  new IntersectionObserver(tell, { rootMargin: "0px 0px -33% 0px" }).observe($("basket"));
  for (const button of $("gift-cards").children) {
    button.onclick = () => {
      giftCard = { currency: button.dataset.currency, text: button.textContent };
      showBasket();
      $("basket").scrollIntoView({ behavior: "smooth", block: "nearest" });
    };
  }
  const { data: products } = await api("products");
  $("products").replaceChildren(...products.map(card));
}

function card(product) {
  const { id, name, description, price_with_tax: price, currency, in_stock } = product;
  const picture = element("div", "picture", name[0]);
  picture.style.setProperty("--hue", id * 67);
  const add = button(in_stock ? "Add to basket" : "Sold out", () => change(product, 1));
  add.disabled = !in_stock;
  const words = [element("h3", "", name), element("p", "quiet", description ?? "")];
  return element("li", "product", picture, ...words, element("strong", "", money(price, currency)), add);
}

function change(product, by) {
  giftCard = undefined;
  const quantity = (cart.get(product.id)?.quantity ?? 0) + by;
  if (quantity === 0) cart.delete(product.id);
  else cart.set(product.id, { product, quantity });
  showBasket();
}

function showBasket() {
  const bought = giftCard ? [] : [...cart.values()];
  const lines = bought.map(({ product, quantity }) => {
    const { id, name, price_with_tax: price, currency } = product;
    const less = button("−", () => change(product, -1), `One less: ${name}`, `less-${id}`);
    const more = button("+", () => change(product, 1), `One more: ${name}`, `more-${id}`);
    return line(name, less, quantity, more, money(price * quantity, currency));
  });
  if (giftCard) lines.push(line(`Gift card, ${giftCard.text}`));
  // The lines are new ones: the focus goes to the button that was pressed, or to the basket when its line is gone.
  const pressed = document.activeElement.closest("#lines button")?.id;
  $("lines").replaceChildren(...lines);
  if (pressed) ($(pressed) ?? $("basket-title")).focus();
  const total = bought.reduce((sum, { product, quantity }) => sum + product.price_with_tax * quantity, 0);
  const count = giftCard ? 1 : bought.reduce((sum, { quantity }) => sum + quantity, 0);
  $("note").hidden = count === 0;
  $("note").textContent = giftCard
    ? `Gift card in your basket, ${giftCard.text}`
    : `${count} in your basket, ${money(total, "INR")}`;
  $("pay").disabled = lines.length === 0;
  $("pay").textContent = giftCard
    ? "Buy the gift card"
    : total > 0
      ? `Pay ${money(total, "INR")}`
      : "Your basket is empty";
}

async function checkOut(event) {
  event.preventDefault();
  $("pay").disabled = true;
  try {
    const customer = Object.fromEntries(new FormData(event.target));
    const lines = [...cart].map(([product_id, { quantity }]) => ({ product_id, quantity }));
    const order = { customer, currency: giftCard?.currency ?? "INR", cart: lines };
    const { payment_page } = await api("checkout", { method: "POST", body: JSON.stringify(order) });
    sessionStorage.setItem("payment_page", payment_page);
    location.assign(payment_page);
  } catch (error) {
    showProblem(error);
    $("pay").disabled = false;
  }
}

/** That the shopper came back says nothing: the order is paid when the API says so, which hears it from the gateway. */
async function followOrder() {
  $("store").hidden = true;
  $("order").hidden = false;
  for (;;) {
    const { data: order } = await api("order");
    $("order").replaceChildren(...orderView(order));
    if (order.payment_status !== "unpaid" || order.status === "cancelled") return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

function orderView(order) {
  const { currency } = order;
  const items = order.items.map(({ name, quantity, total }) =>
    line(`${quantity} × ${name}`, money(total, currency)),
  );
  const total = line("Total", element("b", "", money(order.total_amount, currency)));
  const [title, text, action] = statusView(order);
  return [
    element("h2", "", title),
    element("p", "", text),
    element("ul", "", ...items, total),
    action,
    element(
      "p",
      "quiet",
      "Order ",
      element("span", "number", order.order_number),
      `, by ${GATEWAYS[order.gateway]}`,
    ),
    link("./", "", "Back to the shop"),
  ];
}

function statusView({ status, payment_status, invoice_url, invoice_number }) {
  if (payment_status === "paid") {
    const invoice = link(invoice_url, "button", "Open invoice ");
    invoice.append(element("span", "number", invoice_number));
    return ["Thank you", "Your payment has arrived and your invoice is ready.", invoice];
  }
  if (payment_status === "review") {
    return ["We are looking into it", "Another amount was paid than was asked for.", ""];
  }
  if (status === "cancelled") {
    return ["Not paid", "The payment did not go through, and the order is closed. You owe nothing.", ""];
  }
  if (returned === "unpaid") {
    const again = link(sessionStorage.getItem("payment_page"), "button", "Try the payment again");
    return ["Not paid yet", "The payment did not go through. You owe nothing.", again];
  }
  return ["Waiting for your payment", "The gateway has yet to confirm it.", element("div", "wait")];
}

/** Calls the shop's server; throws with the API's own message when it refuses. */
async function api(path, request) {
  const response = await fetch(`api/${path}`, request);
  const body = await response.json();
  if (!response.ok) throw new Error(body.message);
  return body;
}

function showProblem({ message }) {
  $("order").replaceChildren(element("p", "problem", message), link("./", "", "Back to the shop"));
  $("problem").textContent = message;
  $("problem").hidden = false;
}

function element(tag, className, ...content) {
  const made = Object.assign(document.createElement(tag), { className });
  made.append(...content);
  return made;
}

function line(text, ...more) {
  return element("li", "line", element("span", "", text), ...more);
}

function button(text, onclick, ariaLabel = text, id = "") {
  const className = text.length === 1 ? "step" : "";
  return Object.assign(element("button", className, text), { type: "button", onclick, ariaLabel, id });
}

function link(href, className, text) {
  return Object.assign(element("a", className, text), { href });
}

function money(amount, currency) {
  const locale = currency === "INR" ? "en-IN" : "en-GB";
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount);
}
