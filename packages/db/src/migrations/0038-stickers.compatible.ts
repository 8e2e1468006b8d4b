/**
 * Adds stickers. Players get them for events in the journal. A job follows the journal from its beginning. There is no
 * longer a constraint that lists the kinds of notices, because every new kind would have to replace it. The types list
 * them instead.
 */
export const statements = [
  `create table stickers (
    user_id integer not null references users (id) on delete cascade,
    sticker text not null,
    token_id integer,
    seq bigint,
    at timestamptz(3) not null,
    primary key (user_id, sticker)
  )`,
  `alter table notice_position
    add column sticker_entry bigint not null default 0,
    add column sticker_token integer not null default 0,
    add column sticker_day_entry bigint not null default 0,
    add column sticker_at timestamptz(3) not null default '2000-01-01Z'`,
  'alter table notice_causes drop constraint notice_causes_kind_check',
]
