/** A problem with the database that an operator must fix. The message is one sentence. */
export class DatabaseSetupError extends Error {
  override readonly name: string = 'DatabaseSetupError'
}

/** Another live process uses the same DATA_DIR. */
export class DataDirInUseError extends DatabaseSetupError {
  override readonly name = 'DataDirInUseError'
  readonly pid: number

  constructor(dataDir: string, pid: number) {
    super(
      `Papermoon already runs on the data folder ${dataDir} (process ${pid}); stop it first, or set another DATA_DIR.`,
    )
    this.pid = pid
  }
}

export class DatabaseIsNewerError extends DatabaseSetupError {
  override readonly name = 'DatabaseIsNewerError'

  constructor(unknownMigrations: readonly string[]) {
    super(
      `The database was made by a newer Papermoon (unknown migrations: ${unknownMigrations.join(', ')}); start that version instead.`,
    )
  }
}

/** The database was migrated by an older build, or was never migrated. */
export class DatabaseIsOlderError extends DatabaseSetupError {
  override readonly name = 'DatabaseIsOlderError'

  constructor(missingMigrations: readonly string[]) {
    super(
      `The database was made by an older Papermoon (missing migrations: ${missingMigrations.join(', ')}); start this version once, which brings it up to date.`,
    )
  }
}

/** The database is a replica, which accepts no writes. */
export class DatabaseIsReplicaError extends DatabaseSetupError {
  override readonly name = 'DatabaseIsReplicaError'

  constructor() {
    super('The database of DATABASE_URL is a replica, which takes no writes; set DATABASE_URL to its primary.')
  }
}

/** The database has an unsupported version or encoding. */
export class DatabaseUnsupportedError extends DatabaseSetupError {
  override readonly name = 'DatabaseUnsupportedError'

  /** `why` is the rest of a sentence that begins with "The database". */
  constructor(why: string) {
    super(`The database ${why}.`)
  }
}

/** The DATA_DIR contains no database. */
export class NoDatabaseError extends DatabaseSetupError {
  override readonly name = 'NoDatabaseError'

  constructor(dataDir: string) {
    super(`There is no database in the data folder ${dataDir}; start Papermoon once, or set another DATA_DIR.`)
  }
}

/** The embedded PostgreSQL does not start, or it ends again and again. */
export class EmbeddedPostgresError extends DatabaseSetupError {
  override readonly name = 'EmbeddedPostgresError'
}
