/** COSE ids of EdDSA, ES256 and RS256, best first; every authenticator supports one of them. */
export const ALGORITHMS: readonly number[] = [-8, -7, -257]
