/** The newest row of the moderation log, so that a cut at the log's end is seen. */
export const statements = [
  `create table moderation_head (
    is_only boolean primary key default true check (is_only),
    log_id integer not null,
    hash bytea not null
  )`,
  `insert into moderation_head (log_id, hash) select id, hash from moderation_log order by id desc limit 1`,
]
