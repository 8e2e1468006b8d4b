/** What operators have set is the newest row of the log about it. */
export const statements = [
  `
    create index moderation_log_in_force on moderation_log (kind, target_id, id)
      where kind in ('announcement', 'bound')`,
]
