import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Compare } from '../compare/compare.tsx';
import { bytes, t } from '../language/text.ts';
import { announce } from '../parts/announcer.tsx';
import { Icon } from '../parts/icon.tsx';
import { chosenFiles, type GivenFiles, givenFiles } from './dropped-files.ts';
import { FileRow } from './file-row.tsx';
import { bounds } from './options.ts';
import { OptionsPanel } from './options-panel.tsx';
import { addFiles, busyRows, doneRows, failedRows, type Row, rows } from './queue.ts';
import { ResultBar } from './result-bar.tsx';
import { StartBar } from './start-bar.tsx';

/** The work: files in, options beside them, results where the files were. */
export function OptimisePage() {
  const compared = useSignal<Row | undefined>(undefined);
  const passedOver = useSignal(0);
  const over = useSignal(false);
  const add = ({ files, passedOver: count }: GivenFiles) => {
    addFiles(files);
    passedOver.value = count;
    if (files.length > 0) announce(t('optimise.added', { n: files.length }));
  };
  useDropAnywhere(add, (is) => {
    over.value = is;
  });
  const empty = rows.value.length === 0;
  return (
    <>
      <div class="head">
        <div>
          <h1>{t('optimise.title')}</h1>
          {empty && <p>{t('optimise.lead')}</p>}
        </div>
        {!empty && <Choosers add={add} />}
      </div>
      <div class="work">
        <div class="work-main stack">
          {empty ? <DropZone add={add} /> : <FileList compare={(row) => (compared.value = row)} />}
          {passedOver.value > 0 && <p class="muted small">{t('optimise.passedOver', { n: passedOver.value })}</p>}
        </div>
        <OptionsPanel />
      </div>
      <StartBar />
      {over.value && (
        <div class="drop-veil" aria-hidden="true">
          <div>
            <Icon name="upload" />
            {t('optimise.dropNow')}
          </div>
        </div>
      )}
      <Comparison compared={compared} />
      <Progress />
    </>
  );
}

/** Apart from the page, which would be drawn anew with all its rows whenever one of them is done. */
function Comparison({ compared }: { compared: Signal<Row | undefined> }) {
  if (!compared.value) return null;
  return (
    <Compare
      rows={doneRows.value}
      row={compared.value}
      show={(row) => {
        compared.value = row;
      }}
      close={() => {
        compared.value = undefined;
      }}
    />
  );
}

function FileList({ compare }: { compare: (row: Row) => void }) {
  return (
    <>
      <ResultBar compare={compare} />
      <ul class="plain files card" aria-label={t('optimise.files')}>
        {rows.value.map((row) => (
          <FileRow key={row.id} row={row} compare={() => compare(row)} />
        ))}
      </ul>
    </>
  );
}

function DropZone({ add }: { add: (files: GivenFiles) => void }) {
  return (
    <div class="drop-zone">
      <div class="drop-sign" aria-hidden="true">
        <Icon name="picture" />
      </div>
      <h2>{t('optimise.drop')}</h2>
      <p class="muted">{t('optimise.dropMore')}</p>
      <Choosers add={add} primary />
      <p class="muted small">{t('optimise.accepted', { size: bytes(bounds.fileBytes) })}</p>
    </div>
  );
}

function Choosers({ add, primary = false }: { add: (files: GivenFiles) => void; primary?: boolean }) {
  return (
    <div class="line choosers">
      <Chooser add={add} folder={false} primary={primary} />
      <Chooser add={add} folder={true} primary={false} />
    </div>
  );
}

function Chooser({ add, folder, primary }: { add: (files: GivenFiles) => void; folder: boolean; primary: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        data-folder={folder}
        {...(folder ? { webkitdirectory: true } : { accept: 'image/*' })}
        onChange={({ currentTarget }) => {
          if (currentTarget.files) add(chosenFiles(currentTarget.files));
          // The same file chosen again is a change again.
          currentTarget.value = '';
        }}
      />
      <button type="button" class={`button ${primary ? 'primary' : ''}`} onClick={() => input.current?.click()}>
        <Icon name={folder ? 'folder' : primary ? 'upload' : 'plus'} />
        {folder ? t('optimise.chooseFolder') : t('optimise.chooseFiles')}
      </button>
    </>
  );
}

/** Files may be dropped and pasted anywhere on the page. */
function useDropAnywhere(add: (files: GivenFiles) => void, over: (is: boolean) => void): void {
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const during = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      over(true);
    };
    addEventListener('dragenter', during, { signal });
    addEventListener('dragover', during, { signal });
    addEventListener('dragleave', (event) => event.relatedTarget === null && over(false), { signal });
    addEventListener(
      'drop',
      async (event) => {
        over(false);
        if (!event.dataTransfer || !holdsFiles(event)) return;
        event.preventDefault();
        add(await givenFiles(event.dataTransfer));
      },
      { signal },
    );
    addEventListener(
      'paste',
      async (event) => {
        if (event.clipboardData && event.clipboardData.files.length > 0) add(await givenFiles(event.clipboardData));
      },
      { signal },
    );
    return () => controller.abort();
  }, []);
}

const ANNOUNCED_EVERY_MS = 5000;

/** Says how far the work is every few seconds, and when it is done. */
function Progress() {
  const busy = busyRows.value.length > 0;
  useEffect(() => {
    if (!busy) return;
    const tell = () => {
      const done = doneRows.value.length;
      announce(t('optimise.progress', { done, all: done + busyRows.value.length }));
    };
    const timer = setInterval(tell, ANNOUNCED_EVERY_MS);
    return () => {
      clearInterval(timer);
      announce(t('optimise.finished', { n: doneRows.value.length, failed: failedRows.value.length }));
    };
  }, [busy]);
  return null;
}
