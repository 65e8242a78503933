import { createHash, createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

type StoredObject = { content: Buffer; etag: string; modifiedAt: Date };
type S3Fault = { status: number; code: string; method?: string };
type PendingUpload = { bucket: string; key: string; parts: Map<number, StoredObject>; since: Date };
type Answer = {
  status?: number;
  headers?: Record<string, string | number>;
  body?: Buffer | string;
};
type Call = {
  bucket: string;
  key: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
};

const accessKey = 'AKIAATRIUMTEST';
const secretKey = 'the-secret-of-the-test-bucket';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) =>
  createHmac('sha256', key).update(data).digest();
const xml = (name: string, content: string) => `<${name}>${content}</${name}>`;
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

class S3Error extends Error {
  readonly code: string;
  readonly status: number;
  constructor(status: number, code: string) {
    super(code);
    this.code = code;
    this.status = status;
  }
}

/**
 * A bucket for one test, in a server of its own that speaks the S3 protocol over HTTP: signatures,
 * ranges, conditional writes, lists, and uploads in parts. Objects are kept in memory.
 */
export async function testBucket() {
  const bucket = 'atrium-test';
  const buckets = new Map<string, Map<string, StoredObject>>([[bucket, new Map()]]);
  const uploads = new Map<string, PendingUpload>();
  const aborted: string[] = [];
  let fault: S3Fault | undefined;
  let bytesUntilBreak = Number.POSITIVE_INFINITY;

  const objectsOf = (call: Call) => {
    const objects = buckets.get(call.bucket);
    if (!objects) throw new S3Error(404, 'NoSuchBucket');
    return objects;
  };
  const uploadOf = (call: Call) => {
    const upload = uploads.get(call.query.get('uploadId') ?? '');
    if (upload?.key !== call.key) throw new S3Error(404, 'NoSuchUpload');
    return upload;
  };
  const storedObject = (content: Buffer): StoredObject => ({
    content,
    etag: `"${createHash('md5').update(content).digest('hex')}"`,
    modifiedAt: new Date(),
  });
  const store = (call: Call, content: Buffer): StoredObject => {
    const objects = objectsOf(call);
    const existing = objects.get(call.key);
    const ifMatch = call.headers['if-match'];
    if (
      (call.headers['if-none-match'] === '*' && existing) ||
      (ifMatch !== undefined && ifMatch !== existing?.etag)
    )
      throw new S3Error(412, 'PreconditionFailed');
    const object = storedObject(content);
    objects.set(call.key, object);
    return object;
  };
  const read = (call: Call): Answer => {
    const object = objectsOf(call).get(call.key);
    if (!object) throw new S3Error(404, 'NoSuchKey');
    const { content, etag, modifiedAt } = object;
    const headers = { etag, 'last-modified': modifiedAt.toUTCString(), 'accept-ranges': 'bytes' };
    const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(call.headers.range ?? '') ?? [];
    if (first === undefined || last === undefined) return { headers, body: content };
    const size = content.length;
    const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
    const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
    if (start >= size) throw new S3Error(416, 'InvalidRange');
    return {
      status: 206,
      headers: { ...headers, 'content-range': `bytes ${start}-${end}/${size}` },
      body: content.subarray(start, end + 1),
    };
  };
  const copy = (call: Call, source: string): Answer => {
    const [, bucketOfSource = '', key = ''] = /^\/?([^/]+)\/(.+)$/s.exec(source) ?? [];
    const object = buckets.get(bucketOfSource)?.get(key);
    if (!object) throw new S3Error(404, 'NoSuchKey');
    const { etag, modifiedAt } = store(call, object.content);
    return {
      body: xml(
        'CopyObjectResult',
        xml('LastModified', modifiedAt.toISOString()) + xml('ETag', escaped(etag)),
      ),
    };
  };
  const list = (call: Call): Answer => {
    const prefix = call.query.get('prefix') ?? '';
    const delimiter = call.query.get('delimiter') ?? '';
    const after = call.query.get('continuation-token') ?? call.query.get('start-after') ?? '';
    const max = Number(call.query.get('max-keys') ?? 1000);
    const groupOf = (key: string) => {
      const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
      return end < 0 ? undefined : key.slice(0, end + delimiter.length);
    };
    const objects = objectsOf(call);
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
    const names = [...new Set(keys.map((key) => groupOf(key) ?? key))].filter(
      (name) => name > after,
    );
    const page = names.slice(0, max);
    const entries = page.map((name) => {
      const object = objects.get(name);
      if (!object || groupOf(name) === name)
        return xml('CommonPrefixes', xml('Prefix', escaped(name)));
      return xml(
        'Contents',
        xml('Key', escaped(name)) +
          xml('LastModified', object.modifiedAt.toISOString()) +
          xml('ETag', object.etag) +
          xml('Size', String(object.content.length)),
      );
    });
    const isTruncated = names.length > page.length;
    const next = isTruncated ? xml('NextContinuationToken', escaped(page.at(-1) ?? '')) : '';
    return {
      body: xml(
        'ListBucketResult',
        xml('Prefix', escaped(prefix)) +
          xml('KeyCount', String(page.length)) +
          xml('IsTruncated', String(isTruncated)) +
          next +
          entries.join(''),
      ),
    };
  };
  const completeUpload = (call: Call): Answer => {
    const { parts } = uploadOf(call);
    const contents = [...call.body.toString().matchAll(/<Part>.*?<\/Part>/gs)].map(([part]) => {
      const stored = parts.get(Number(/<PartNumber>(\d+)</.exec(part)?.[1]));
      const etag = unescaped(/<ETag>(.*?)</.exec(part)?.[1] ?? '');
      if (!stored || stored.etag !== etag) throw new S3Error(400, 'InvalidPart');
      return stored.content;
    });
    const { etag } = store(call, Buffer.concat(contents));
    uploads.delete(call.query.get('uploadId') ?? '');
    return {
      body: xml(
        'CompleteMultipartUploadResult',
        xml('Bucket', call.bucket) + xml('Key', escaped(call.key)) + xml('ETag', etag),
      ),
    };
  };
  const listUploads = (call: Call): Answer => ({
    body: xml(
      'ListMultipartUploadsResult',
      [...uploads]
        .filter(([, upload]) => upload.bucket === call.bucket)
        .map(([id, { key, since }]) =>
          xml(
            'Upload',
            xml('Key', escaped(key)) + xml('UploadId', id) + xml('Initiated', since.toISOString()),
          ),
        )
        .join(''),
    ),
  });

  const bucketOperations: Record<string, (call: Call) => Answer> = {
    HEAD(call) {
      objectsOf(call);
      return {};
    },
    PUT(call) {
      if (buckets.has(call.bucket)) throw new S3Error(409, 'BucketAlreadyOwnedByYou');
      buckets.set(call.bucket, new Map());
      return {};
    },
    GET: (call) => (call.query.has('uploads') ? listUploads(call) : list(call)),
    POST(call) {
      if (!call.query.has('delete')) throw new S3Error(501, 'NotImplemented');
      const keys = [...call.body.toString().matchAll(/<Key>(.*?)<\/Key>/gs)].map(([, key = '']) =>
        unescaped(key),
      );
      for (const key of keys) objectsOf(call).delete(key);
      return {
        body: xml(
          'DeleteResult',
          keys.map((key) => xml('Deleted', xml('Key', escaped(key)))).join(''),
        ),
      };
    },
  };
  const objectOperations: Record<string, (call: Call) => Answer> = {
    HEAD: read,
    GET: read,
    PUT(call) {
      const source = call.headers['x-amz-copy-source'];
      if (source !== undefined) return copy(call, decodeURIComponent(String(source)));
      if (!call.query.has('uploadId')) return { headers: { etag: store(call, call.body).etag } };
      const part = storedObject(call.body);
      uploadOf(call).parts.set(Number(call.query.get('partNumber')), part);
      return { headers: { etag: part.etag } };
    },
    POST(call) {
      if (call.query.has('uploadId')) return completeUpload(call);
      if (!call.query.has('uploads')) throw new S3Error(501, 'NotImplemented');
      objectsOf(call);
      const id = randomUUID();
      uploads.set(id, { bucket: call.bucket, key: call.key, parts: new Map(), since: new Date() });
      return {
        body: xml(
          'InitiateMultipartUploadResult',
          xml('Bucket', call.bucket) + xml('Key', escaped(call.key)) + xml('UploadId', id),
        ),
      };
    },
    DELETE(call) {
      const id = call.query.get('uploadId');
      if (id === null) objectsOf(call).delete(call.key);
      else {
        uploadOf(call);
        uploads.delete(id);
        aborted.push(id);
      }
      return { status: 204 };
    },
  };

  async function answer(request: IncomingMessage): Promise<Answer> {
    const body = await buffer(request);
    checkSignature(request, body);
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://s3.test');
    const [, name = '', key = ''] = /^\/([^/]+)\/?(.*)$/s.exec(decodeURIComponent(pathname)) ?? [];
    const operation = (key === '' ? bucketOperations : objectOperations)[request.method ?? ''];
    if (!operation) throw new S3Error(405, 'MethodNotAllowed');
    return operation({ bucket: name, key, query, headers: request.headers, body });
  }
  const server = createServer(async (request, response) => {
    try {
      if (fault && (fault.method ?? request.method) === request.method)
        throw new S3Error(fault.status, fault.code);
      const whole = await answer(request);
      const { body = '' } = whole;
      if (request.method !== 'GET' || body.length <= bytesUntilBreak)
        return send(request, response, whole);
      response.writeHead(200, { 'content-length': body.length });
      response.write(body.slice(0, bytesUntilBreak), () => response.destroy());
      bytesUntilBreak = Number.POSITIVE_INFINITY;
    } catch (error) {
      const { status, code } = error instanceof S3Error ? error : new S3Error(500, 'InternalError');
      send(request, response, { status, body: xml('Error', xml('Code', code)) });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    settings: {
      S3_BUCKET: bucket,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: accessKey,
      S3_SECRET_ACCESS_KEY: secretKey,
    },
    /** Until this is called again, each request (with this method) is answered with this fault. */
    failWith: (nextFault: S3Fault | undefined) => {
      fault = nextFault;
    },
    /** The next answer that is longer ends after so many bytes, with the connection. */
    breakAfter: (bytes: number) => {
      bytesUntilBreak = bytes;
    },
    /** The ids of aborted uploads in parts. */
    aborted,
    /** The keys of uploads in parts that are neither complete nor aborted. */
    unfinished: () => [...uploads.values()].map(({ key }) => key),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status = 200, headers = {}, body = '' }: Answer,
): void {
  const type = typeof body === 'string' ? 'application/xml' : 'application/octet-stream';
  const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, { 'content-type': type, ...length, ...headers });
  response.end(request.method === 'HEAD' || status === 204 ? undefined : body);
}

/** Signature Version 4: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function checkSignature({ method = '', url = '', headers }: IncomingMessage, body: Buffer): void {
  const [, keyId, date = '', region = '', signedHeaders = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (keyId !== accessKey) throw new S3Error(403, 'InvalidAccessKeyId');
  const contentHash = String(headers['x-amz-content-sha256']);
  if (contentHash !== 'UNSIGNED-PAYLOAD' && contentHash !== sha256(body))
    throw new S3Error(400, 'XAmzContentSHA256Mismatch');
  const [path = '', query = ''] = url.split('?');
  const parameters = query
    .split('&')
    .filter(Boolean)
    .map((parameter) => (parameter.includes('=') ? parameter : `${parameter}=`))
    .toSorted();
  const canonicalHeaders = signedHeaders
    .split(';')
    .map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`);
  const canonicalRequest = [
    method,
    path,
    parameters.join('&'),
    canonicalHeaders.join(''),
    signedHeaders,
    contentHash,
  ].join('\n');
  const scope = `${date}/${region}/s3/aws4_request`;
  const toSign = `AWS4-HMAC-SHA256\n${String(headers['x-amz-date'])}\n${scope}\n${sha256(canonicalRequest)}`;
  const signingKey = [date, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${secretKey}`,
  );
  if (signature !== hmac(signingKey, toSign).toString('hex'))
    throw new S3Error(403, 'SignatureDoesNotMatch');
}
