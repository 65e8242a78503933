import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes } from '../../ui/labels.ts';
import { Progress } from '../../ui/status.tsx';
import { type FileUpload, isUploading, type UploadQueue } from './upload-queue.ts';

/** The uploads that are waiting, running or rejected. */
export function UploadList({
  uploads,
  queue,
}: {
  uploads: readonly FileUpload[];
  queue: UploadQueue;
}) {
  if (uploads.length === 0) return null;
  return (
    <ul className="assistants-uploads plain-list" aria-label={t('files.uploads')}>
      {uploads.map((upload) => (
        <UploadRow key={upload.id} upload={upload} queue={queue} />
      ))}
    </ul>
  );
}

function UploadRow({ upload, queue }: { upload: FileUpload; queue: UploadQueue }) {
  const { id, name, size, state, fraction, fault, replaces } = upload;
  const isActive = isUploading(upload);
  return (
    <li className="assistants-upload row">
      <div className="assistants-upload-details">
        <strong>{name}</strong> <span className="quiet">{formatBytes(size)}</span>
        {isActive && (
          <>
            <Progress value={fraction} label={t('files.uploadOf', { name })} />
            <span className="hint">
              {state === 'waiting'
                ? t('ui.waiting')
                : fraction < 1
                  ? t('files.sent', { percent: Math.floor(fraction * 100) })
                  : t('files.saving')}
            </span>
          </>
        )}
        {fault && (
          <p className="hint fault" role="alert">
            {replaces !== undefined && `${t('files.notReplaced')} `}
            {fault.message}
          </p>
        )}
      </div>
      <div className="row row-actions">
        {state === 'rejected' && queue.canRetry(id) && (
          <Button subject={t('files.withName', { name })} onClick={() => queue.retry(id)}>
            {t('ui.tryAgain')}
          </Button>
        )}
        <Button icon="close" subject={name} kind="quiet" onClick={() => queue.remove(id)}>
          {isActive ? t('ui.cancel') : t('files.dismiss')}
        </Button>
      </div>
    </li>
  );
}
