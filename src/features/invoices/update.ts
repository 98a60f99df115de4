/** Planned: the contract of updating a draft is defined, and the pipeline answers 405 before this is reached. */
export function updateInvoice(): Promise<never> {
  return Promise.reject(new Error("updateInvoice is planned"));
}
