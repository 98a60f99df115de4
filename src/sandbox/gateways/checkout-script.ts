/**
 * A stand-in for Razorpay's Checkout: the payment page in a frame over the page that opens it. It reports a payment
 * to that page as Checkout does, by `handler`, or else by a form sent to `callback_url`.
 */
export const CHECKOUT_SCRIPT = `
const { origin } = new URL(document.currentScript.src);
window.Razorpay = class {
  constructor(options) {
    this.options = options;
  }

  open() {
    const { key, order_id: order, handler, callback_url: callback, modal } = this.options;
    if (!key || !order) throw new Error("Checkout needs key and order_id");
    const dialog = document.createElement("dialog");
    dialog.style.cssText = "width:min(28rem,100vw);height:min(44rem,100vh);max-width:100vw;max-height:100vh;margin:auto;padding:0;border:0;border-radius:12px;overflow:hidden";
    const frame = document.createElement("iframe");
    frame.title = "Razorpay Checkout";
    frame.src = origin + "/pay/razorpay/" + order + "?frame=1";
    frame.style.cssText = "width:100%;height:calc(100% - 3rem);border:0";
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = "Close";
    close.style.cssText = "display:block;width:100%;height:3rem;border:0;font:inherit;cursor:pointer";
    close.onclick = () => dialog.close();
    let paid = false;
    const hear = ({ source, data }) => {
      if (source !== frame.contentWindow) return;
      paid = true;
      dialog.close();
      if (handler) handler(data);
      else if (callback) send(callback, data);
    };
    dialog.onclose = () => {
      removeEventListener("message", hear);
      dialog.remove();
      if (!paid) modal?.ondismiss?.();
    };
    addEventListener("message", hear);
    dialog.append(frame, close);
    document.body.append(dialog);
    dialog.showModal();
  }
};

function send(action, fields) {
  const form = Object.assign(document.createElement("form"), { method: "post", action });
  for (const [name, value] of Object.entries(fields)) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.append(form);
  form.submit();
}
`;
