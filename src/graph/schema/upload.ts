import { fileBytesMax, Upload } from '../../http/upload.ts';
import { scalar } from './scalars.ts';

export const UploadScalar = scalar<Upload>(
  'Upload',
  {
    expectation: 'a file',
    description: `A file of 1 to ${fileBytesMax} bytes, sent as a part of a multipart form. In its file name %22 stands for a quote, as browsers write it; a name that contains %22 itself cannot be distinguished.`,
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
