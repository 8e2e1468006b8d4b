/** In a refusal: the puzzle, as JSON in base64url. */
export const CHALLENGE_HEADER = 'proof-of-work-challenge'
/** In a request: the puzzle and its solution, as JSON in base64url. */
export const PROOF_HEADER = 'proof-of-work'
