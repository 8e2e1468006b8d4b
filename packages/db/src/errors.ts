/** Something about the place or state of the database that a person has to mend. The message is one plain sentence. */
export class DatabaseSetupError extends Error {
  override readonly name: string = 'DatabaseSetupError'
}

/** Another live process works on the same DATA_DIR. */
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

/** The database was migrated by a newer version of the code than this one. */
export class DatabaseIsNewerError extends DatabaseSetupError {
  override readonly name = 'DatabaseIsNewerError'

  constructor(unknownMigrations: readonly string[]) {
    super(
      `The database was made by a newer Papermoon (unknown migrations: ${unknownMigrations.join(', ')}); start that version instead.`,
    )
  }
}

/** The database was migrated by an older version of the code than this one, or never. */
export class DatabaseIsOlderError extends DatabaseSetupError {
  override readonly name = 'DatabaseIsOlderError'

  constructor(missingMigrations: readonly string[]) {
    super(
      `The database was made by an older Papermoon (missing migrations: ${missingMigrations.join(', ')}); start this version once, which brings it up to date.`,
    )
  }
}

/** The database is one that this code cannot work with. */
export class DatabaseUnsupportedError extends DatabaseSetupError {
  override readonly name = 'DatabaseDoesNotFitError'

  /** `why` goes on after "The database". */
  constructor(why: string) {
    super(`The database ${why}.`)
  }
}

/** There is no database in the DATA_DIR. */
export class NoDatabaseError extends DatabaseSetupError {
  override readonly name = 'NoDatabaseError'

  constructor(dataDir: string) {
    super(`There is no database in the data folder ${dataDir}; start Papermoon once, or set another DATA_DIR.`)
  }
}

/** The embedded PostgreSQL did not start or does not stay up. */
export class EmbeddedPostgresError extends DatabaseSetupError {
  override readonly name = 'EmbeddedPostgresError'
}
