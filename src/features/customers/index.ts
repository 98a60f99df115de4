export { booksKeeper, customerEraser, customerErasure } from "./erase.ts";
export { matchCustomer, type Prospect } from "./match.ts";
export { customerResource } from "./resource.ts";
export { isLive, SEARCHED as searchedCustomerColumns, searchPhrase as customerSearch } from "./snapshot.ts";
