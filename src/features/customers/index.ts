export { booksKeeper, customerEraser, customerErasure } from "./erase.ts";
export { matchCustomer, newCustomer, type Prospect, selectMatch, stillLive } from "./match.ts";
export { isLive, SEARCHED as searchedCustomerColumns, searchPhrase as customerSearch } from "./snapshot.ts";
