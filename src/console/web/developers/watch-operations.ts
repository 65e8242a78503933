import type { Exchange } from '@urql/core';

export const watchOperations: Exchange = ({ forward }) => forward;
