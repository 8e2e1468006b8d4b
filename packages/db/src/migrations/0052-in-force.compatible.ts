/** Adds an index that finds the newest log row about a subject, because this row has the setting in force. */
export const statements = [
  `
    create index moderation_log_in_force on moderation_log (kind, target_id, id)
      where kind in ('announcement', 'bound')`,
]
