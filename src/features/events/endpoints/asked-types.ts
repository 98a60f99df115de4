import { type SQL, sql } from "drizzle-orm";
import { eventEndpoints, eventEndpointTypes, eventTypesWanted } from "#tables/events";
import { EVENT_TYPES, TYPE_NAMES } from "../types.ts";

// Each with the words that ask for it: its name and its group, and not `*`.
const ON_DEMAND = TYPE_NAMES.filter((name) => "onDemand" in EVENT_TYPES[name]).map((name) => ({
  type: name,
  words: [name, name.replace(/[^.]*$/, "*")],
}));

/** The statements that keep which types on demand are recorded: those that an active endpoint asks for. */
export function keepWanted(): SQL[] {
  const { word, endpointId } = eventEndpointTypes;
  return [
    sql`DELETE FROM ${eventTypesWanted}`,
    sql`INSERT INTO ${eventTypesWanted} (type) SELECT value ->> 'type' FROM json_each(${JSON.stringify(ON_DEMAND)}) AS asked
      WHERE EXISTS (SELECT 1 FROM ${eventEndpointTypes} JOIN ${eventEndpoints} ON ${eventEndpoints.id} = ${endpointId}
        WHERE ${eventEndpoints.disabledReason} IS NULL
          AND ${word} IN (SELECT words.value FROM json_each(asked.value, '$.words') AS words))`,
  ];
}

/** The statements that keep the words of one endpoint, which `endpoint` names. */
export function keepWords(endpoint: SQL, words: readonly string[]): SQL[] {
  return [
    sql`DELETE FROM ${eventEndpointTypes} WHERE ${eventEndpointTypes.endpointId} = (${endpoint})`,
    sql`INSERT INTO ${eventEndpointTypes} (word, endpoint_id)
      SELECT value, (${endpoint}) FROM json_each(${JSON.stringify(words)})`,
  ];
}
