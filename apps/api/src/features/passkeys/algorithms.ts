/** COSE's numbers of EdDSA, ES256 and RS256, which all authenticators have one of; best first. */
export const ALGORITHMS: readonly number[] = [-8, -7, -257]
