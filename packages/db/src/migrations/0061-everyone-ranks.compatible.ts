/** In rooms from now on, everyone is ranked. Rooms that have begun keep the rule they began with. */
export const statements = [
  'alter table fairs add column everyone_ranks boolean not null default false',
  "update fairs set everyone_ranks = true where kind = 'room' and state = 'lobby'",
]
