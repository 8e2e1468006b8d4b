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

/** The embedded PostgreSQL did not start or does not stay up. */
export class EmbeddedPostgresError extends DatabaseSetupError {
  override readonly name = 'EmbeddedPostgresError'
}
