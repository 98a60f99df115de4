import bookingsOfStrangers from "../../../migrations/company/alterations/0001_14_bookings.sql";
import gatewayEventMoney from "../../../migrations/company/alterations/0002_11_gateway_payments.sql";
import ignoredEvents from "../../../migrations/company/alterations/0003_11_gateway_payments.sql";
import untilMidnight from "../../../migrations/company/alterations/0004_13_instructors.sql";
import chatappPeople from "../../../migrations/company/alterations/0005_15_messaging.sql";
import keptValues from "../../../migrations/company/alterations/0006_03_audit.sql";
import valuesInTrigger from "../../../migrations/company/alterations/0007_02_core.sql";
import commercialNotes from "../../../migrations/company/alterations/0008_23_credit_notes.sql";
import owedCredit from "../../../migrations/company/alterations/0009_26_refund_targets.sql";
import earningsOfDocuments from "../../../migrations/company/alterations/0010_24_lessons.sql";
import stockOfBatches from "../../../migrations/company/alterations/0011_07_products.sql";
import searchOfErased from "../../../migrations/company/alterations/0012_12_storefront.sql";
import noticesOfJobs from "../../../migrations/company/alterations/0013_27_setting_changes.sql";
import controlKeptValues from "../../../migrations/control/alterations/0001_02_audit.sql";
import controlValuesInTrigger from "../../../migrations/control/alterations/0002_01_core.sql";
import type { Alteration } from "./missing-and-changed.ts";

// Each changes what one file of the schema made before its text was changed, and is named by a number and that file, as
// `0001_06_customers`. Its SQL stands in `migrations/{company,control}/alterations/`, and beside it, as
// `0001_06_customers.before.sql`, the text that the file had.

/** What changes companies' databases that exist. */
export const COMPANY_ALTERATIONS: readonly Alteration[] = [
  {
    name: "0001_14_bookings",
    sql: bookingsOfStrangers,
    before: "f9df99e1bfe143df2212e53decf0047b59cc7d7b17982603f61b22e482a38073",
  },
  {
    name: "0002_11_gateway_payments",
    sql: gatewayEventMoney,
    before: "01e66eecd6bbb315de5d3fbdc0af97cebca2220d6bdf277d460f3ac3c8ae2825",
  },
  {
    name: "0003_11_gateway_payments",
    sql: ignoredEvents,
    before: "28b9a566399d09e0f4ca8cff51d75fd1a2bfcd81661c4be1a98d8677e93973a9",
  },
  {
    name: "0004_13_instructors",
    sql: untilMidnight,
    before: "851b6d3b9edad5c04d8859480449ecab45705bc1b591574a7b8f5856e47a9625",
  },
  {
    name: "0005_15_messaging",
    sql: chatappPeople,
    before: "a8ff4c76296c0824f0d206d5c32401361cffc5d8e8a4fc8fa6e7317920abd1fa",
  },
  {
    name: "0006_03_audit",
    sql: keptValues,
    before: "9047252fb1633a3ef3b5a9be1337cff6b1fb6be461954597db9c7f582e9b7422",
  },
  {
    name: "0007_02_core",
    sql: valuesInTrigger,
    before: "58f206456b51ec7b75fe31b29d90f5a7cdd5898ce359a009998ddf0d32a04865",
  },
  {
    name: "0008_23_credit_notes",
    sql: commercialNotes,
    before: "dd6a8f029347ac144d94c8ec2692a5ff0341311c721de18d235ec38da5dbf3b8",
  },
  {
    name: "0009_26_refund_targets",
    sql: owedCredit,
    before: "1dcacef230012924f96a0ae8de0a858159817bbb204e6434f92f2af6209850b1",
  },
  {
    name: "0010_24_lessons",
    sql: earningsOfDocuments,
    before: "61ca9932c6afe460427cc3ad6091cfc2068bbcbdc05c63ce1b83dc8001808cda",
  },
  {
    name: "0011_07_products",
    sql: stockOfBatches,
    before: "15ed00b192007707e24fc2252a0bdc848a8427b138ebfe9c1ad7c6b48c5de014",
  },
  {
    name: "0012_12_storefront",
    sql: searchOfErased,
    before: "3af1686bdde7230c74ae85de3a002175fca7eaa08d22ef3ba7d42cab762c9e5d",
  },
  {
    name: "0013_27_setting_changes",
    sql: noticesOfJobs,
    before: "db529b6336caf710b3929d2df6f9afe9b4ae6f6ff23bd4f70de816aad12f8a6f",
  },
];

/** What changes a control database that exists. */
export const CONTROL_ALTERATIONS: readonly Alteration[] = [
  {
    name: "0001_02_audit",
    sql: controlKeptValues,
    before: "f8a9404ffbc9caa14d02dd972a1cb61f3971fad014467ff494743800bfcd2d75",
  },
  {
    name: "0002_01_core",
    sql: controlValuesInTrigger,
    before: "8db2b01d14dc151f6be3b2f87532b34aa92f57ef6a28452d13fdc4a955efb46b",
  },
];
