CREATE INDEX gateway_events_ignored ON gateway_events (gateway, gateway_payment_id, received_at)
  WHERE intent_id IS NULL AND amount IS NOT NULL;
