import { expect, test } from "vitest";
import type { AgentOperation } from "#api/mcp/operations.ts";
import { openApiDocument } from "#api/openapi/document.ts";
import { agentDocuments } from "../../../src/build/agent-documents.ts";
import { operations, platformOperations } from "../../../src/wiring/operations.ts";

const { list } = agentDocuments(openApiDocument(operations, platformOperations, []));
const writes = list.filter(({ only_reads }) => !only_reads);
const idsOf = (some: readonly AgentOperation[]) => some.map(({ id }) => id).sort();
const words = (text: string) => text.trim().split(/\s+/).sort();

test("an agent's user is shown every write first, but those reviewed here", () => {
  const reviewed = `
    createWorkItem updateWorkItem transitionWorkItem createComment createProject updateProject createIteration
    updateIteration createArea updateArea createMilestone updateMilestone createSprint updateSprint startSprint
    completeSprint createEmployee updateEmployee createWorkItemStatus updateWorkItemStatus
    createUnit updateUnit createCategory updateCategory
    createCustomer createDepartment updateDepartment createLeadSource updateLeadSource
    createLocation updateLocation createField updateField putSchedule createOverride
    updateInbound previewNotificationTemplate`;
  expect(idsOf(writes.filter((one) => !one.needs_approval))).toEqual(words(reviewed));
  expect(list.filter((one) => one.only_reads && one.needs_approval)).toEqual([]);
});

test("the writes that only add are those reviewed here; every other may destroy", () => {
  const reviewed = `
    createCustomer createProduct adjustStock createSettlement applyForJob createWorkItem createComment createProject
    createIteration createArea createMilestone createSprint createEventEndpoint createAccount createPaymentMode
    createUnit createCategory createPaymentGateway createMessagingProvider createSmsTemplate createOptout
    createSuppression createDepartment createJob createLeadSource createLocation createInstructor createOverride
    createField createCalendarFeed createEmployee createWorkItemStatus createKey`;
  expect(idsOf(writes.filter((one) => !one.may_destroy))).toEqual(words(reviewed));
});
