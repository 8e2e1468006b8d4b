/** Header of a rejection with the challenge, as JSON in base64url. */
export const CHALLENGE_HEADER = 'proof-of-work-challenge'
/** Header of a request with the challenge and its solution, as JSON in base64url. */
export const PROOF_HEADER = 'proof-of-work'
