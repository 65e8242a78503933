import { fileBytesMax, Upload } from '../../http/upload.ts';
import { scalar } from './scalars.ts';

export const UploadScalar = scalar<Upload>(
  'Upload',
  {
    expectation: 'a file',
    description: `A file of 1 to ${fileBytesMax} bytes, sent as a part of a multipart form. Browsers encode a quote in the file name of a part as %22, so %22 in the name is read as a quote.`,
    specifiedBy: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
    // OpenAPI 3.1 needs only the media type, but generators of clients read the format.
    jsonSchema: {
      type: 'string',
      format: 'binary',
      contentMediaType: 'application/octet-stream',
    },
  },
  (value) => (value instanceof Upload ? value : undefined),
);
