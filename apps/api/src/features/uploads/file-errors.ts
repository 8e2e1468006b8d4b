function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

export function isNoSuchFile(error: unknown): boolean {
  return codeOf(error) === 'ENOENT'
}

export function isFileThere(error: unknown): boolean {
  return codeOf(error) === 'EEXIST'
}
