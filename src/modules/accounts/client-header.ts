/** Where the address that a request came from is noted; what a client sends under this name is replaced. */
export const clientHeader = 'x-atrium-client';
