/** The load cannot be made. The message is a sentence for the caller. */
export class LoadError extends Error {}
