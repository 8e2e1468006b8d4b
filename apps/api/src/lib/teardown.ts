/** Runs all steps of a stack, last first, even if some fail. Returns the errors of the failed steps. */
export async function disposeAll(stack: AsyncDisposableStack): Promise<unknown[]> {
  try {
    await stack.disposeAsync()
    return []
  } catch (error) {
    return listErrors(error)
  }
}

/** Lists the errors in a chain of failures. The last failure is the outermost. */
function listErrors(error: unknown): unknown[] {
  return error instanceof SuppressedError ? [...listErrors(error.suppressed), error.error] : [error]
}
