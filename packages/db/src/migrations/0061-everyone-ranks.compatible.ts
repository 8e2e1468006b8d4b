/** In rooms that open from now on, everyone is ranked. Rooms that have already begun keep their rule. */
export const statements = [
  'alter table fairs add column everyone_ranks boolean not null default false',
  "update fairs set everyone_ranks = true where kind = 'room' and state = 'lobby'",
]
