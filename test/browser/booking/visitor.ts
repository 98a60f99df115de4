import { randomBytes } from "node:crypto";
import type { Browser, Locator, Page } from "playwright-core";

const PAY = /^Pay A\$75/;

/** A visitor of a page with the widget, far from the school: their browser, what it complains of, and what they do. */
export class Visitor {
  readonly page: Page;
  readonly widget: Locator;
  /** What the console said, and what no code caught. */
  readonly complaints: string[] = [];
  readonly details = {
    Name: "Asha Rao",
    Email: `asha-${randomBytes(6).toString("hex")}@example.com`,
  };

  private constructor(page: Page) {
    this.page = page;
    this.widget = page.locator("booking-widget");
    page.on("console", (message) => {
      // The gateways' pages have no icon.
      if (!message.location().url.endsWith("/favicon.ico")) this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(error.message));
  }

  static async arrive(browser: Browser, url: string, width = 375): Promise<Visitor> {
    const viewport = { width, height: 800 };
    const context = await browser.newContext({ viewport, timezoneId: "Asia/Kolkata", locale: "en-IN" });
    const visitor = new Visitor(await context.newPage());
    await visitor.page.goto(url);
    return visitor;
  }

  button(name: string | RegExp): Locator {
    return this.widget.getByRole("button", { name });
  }

  /** Waits for a screen with this heading. */
  async sees(heading: string): Promise<void> {
    await this.widget.getByRole("heading", { name: heading }).waitFor();
  }

  /** All that is on the screen. */
  text(): Promise<string> {
    return this.widget.locator("section").innerText();
  }

  get times(): Locator {
    return this.widget.locator(".times button");
  }

  /** The days of the calendar that can be chosen. */
  get freeDays(): Locator {
    return this.button(/, free$/);
  }

  async toTimes(lesson = "Driving lesson", instructor = "Mei Tan"): Promise<void> {
    await this.button(lesson).click();
    await this.button(instructor).click();
    await this.times.first().waitFor();
  }

  /** Chooses the first time and fills in the form; the form's button books. */
  async toForm(lesson?: string, instructor?: string): Promise<void> {
    await this.toTimes(lesson, instructor);
    await this.times.first().click();
    for (const [label, value] of Object.entries(this.details)) {
      await this.widget.getByLabel(label).fill(value);
    }
  }

  async book(): Promise<void> {
    await this.button(/^Book/).click();
  }

  /** Waits for the payment page that a booking leads to. */
  async seesPayment(): Promise<void> {
    await this.page.getByRole("button", { name: PAY }).waitFor();
  }

  /** Chooses a time, books it, and waits for that page. */
  async toPayment(): Promise<void> {
    await this.toForm();
    await this.book();
    await this.seesPayment();
  }

  async pay(): Promise<void> {
    await this.page.getByRole("button", { name: PAY }).click();
  }

  async callPaymentOff(): Promise<void> {
    await this.page.getByRole("link", { name: "Cancel" }).click();
    await this.sees("Your time is held");
  }
}
