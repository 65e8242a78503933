/** Why a request to an address from a customer failed, with the sentence that the customer sees. */
export const publicAddressFailures = {
  INVALID_URL: 'The URL is invalid.',
  SCHEME_NOT_ALLOWED: 'The URL must begin with https://.',
  USERINFO_NOT_ALLOWED: 'The URL must not contain a user name or a password.',
  PORT_NOT_ALLOWED: 'The port of the URL is not allowed. Use 443 or a port above 1023.',
  NO_PUBLIC_ADDRESS: 'The host name does not resolve, or not only to public addresses.',
  CONNECTION_FAILED: 'The connection could not be established, or it broke.',
  TLS_FAILED: 'TLS could not be established, or the certificate is not valid for the host name.',
  TIMED_OUT: 'The server did not answer in time.',
  RESPONSE_INVALID: 'The answer is not valid HTTP.',
  PROXY_FAILED: 'The proxy for outgoing requests did not establish the connection.',
} as const;

export type PublicAddressFailure = keyof typeof publicAddressFailures;

/**
 * The message depends only on the reason, so both can be stored and shown. It contains no address:
 * a name that resolves to a private address and a name that does not exist look the same, so
 * nobody learns which names exist in the internal network.
 */
export class PublicAddressError extends Error {
  readonly reason: PublicAddressFailure;

  constructor(reason: PublicAddressFailure) {
    super(publicAddressFailures[reason]);
    this.name = 'PublicAddressError';
    this.reason = reason;
  }
}
