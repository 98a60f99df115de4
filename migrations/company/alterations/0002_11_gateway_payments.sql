-- Before: 01e66eecd6bbb315de5d3fbdc0af97cebca2220d6bdf277d460f3ac3c8ae2825
ALTER TABLE gateway_events ADD COLUMN amount INTEGER;
ALTER TABLE gateway_events ADD COLUMN currency TEXT;
