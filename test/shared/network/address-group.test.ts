import { expect, test } from "vitest";
import { addressGroup, widerGroups } from "#shared/network/address-group.ts";

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["1:2:3:4:5:6:7::", "1:2:3:4::/64"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["::ffff:cb00:7109", "203.0.113.9"],
  ["0:0:0:0:0:FFFF:203.0.113.9", "203.0.113.9"],
  ["64:ff9b::203.0.113.9", "64:ff9b:0:0::/64"],
  ["unknown", "unknown"],
  ["1::2::3", "1::2::3"],
  ["1:2:3", "1:2:3"],
  ["1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8:9"],
  ["fe80::1%eth0", "fe80::1%eth0"],
])("%s counts as %s", (address, group) => {
  expect(addressGroup(address)).toBe(group);
});

test.each([
  ["2001:db8:1:2::/64", { site: "2001:db8:1:0::/56", network: "2001:db8:1::/48" }],
  ["2001:db8:1:abcd::/64", { site: "2001:db8:1:ab00::/56", network: "2001:db8:1::/48" }],
  ["203.0.113.9", null],
  ["unknown", null],
  ["fe80::1%eth0", null],
])("around %s lie %j", (group, wider) => {
  expect(widerGroups(group)).toEqual(wider);
});
