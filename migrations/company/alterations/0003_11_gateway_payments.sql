-- Before: 28b9a566399d09e0f4ca8cff51d75fd1a2bfcd81661c4be1a98d8677e93973a9
CREATE INDEX gateway_events_ignored ON gateway_events (gateway, gateway_payment_id, received_at)
  WHERE intent_id IS NULL AND amount IS NOT NULL;
