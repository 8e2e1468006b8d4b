/**
 * In fairs that begin after this migration, all that house bots lose to a player counts for the player's score. Fairs
 * that have already begun keep the earlier rule. So do the fairs of older builds, which insert the default.
 */
export const statements = [
  'alter table fairs add column limits_bots boolean not null default true',
  "update fairs set limits_bots = false where state = 'lobby'",
]
