/** Stands in the published documents for the address of the deployment, which the build does not know. */
export const OWN_ADDRESS = "https://api.example.invalid";
