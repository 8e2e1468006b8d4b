/**
 * Ids of PostgreSQL's advisory locks, which all processes on a database share. A released id must not change, because
 * otherwise processes of two builds would not exclude each other.
 */
export const LOCK_IDS = {
  /** Lock for closing a window of the giveaway. */
  windowClosing: 727_466_005,
  /** Lock for replaying the journal for the audit. */
  auditReplay: 727_466_008,
  /** Lock for publishing the chains' last hashes. */
  publishing: 727_466_009,
  /** Lock for taking a backup. */
  backupTaking: 727_466_012,
  /** Lock for running the backup schedule. */
  backupKeeping: 727_466_013,
  /** Lock for running the demo world. Held as long as its process runs. */
  demoKeeping: 727_466_014,
  /** Lock for running house bots in fairs. Held while such fairs are open. */
  fairBots: 727_466_015,
  /** Lock for appending to the moderation log. */
  moderationLog: 727_466_016,
  /** Lock for the quota of all uploads. */
  uploadQuota: 7_261_903,
} as const
