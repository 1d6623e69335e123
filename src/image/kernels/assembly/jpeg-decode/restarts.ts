import { CORRUPT, Decoder, ENDS_EARLY, EVERYWHERE, FINE, partAt, Scan, STARVED } from './decoder';

/** Gives up the running restart interval. */
function giveUp(scan: Scan): i32 {
  scan.skipping = 1;
  scan.damagedIntervals++;
  return scan.damagedIntervals > scan.allowedDamage ? CORRUPT : FINE;
}

/** The data has ended: what comes now stays as earlier scans left it, if enough of the picture is there. */
function endData(decoder: Decoder, scan: Scan): i32 {
  scan.ended = 1;
  return decoder.row < scan.leastRows ? ENDS_EARLY : FINE;
}

/** What `nextRestartNumber` answers at the end of the scan's data, and where the window ends before. */
const NO_MORE: i32 = -1;
const NOT_THERE: i32 = -2;

/** Drops what is left up to the next marker of the scan, if it is there. @returns its number, 0–7 */
function nextRestartNumber(scan: Scan): i32 {
  const end = scan.end;
  let at = scan.position;
  for (; at + 1 < end; at++) {
    if (load<u8>(at) != 0xff) continue;
    const code = <i32>load<u8>(at, 1);
    if (code == 0 || code == 0xff) continue;
    scan.position = at;
    return code & 7;
  }
  if (scan.lastStart == EVERYWHERE) return NO_MORE;
  scan.position = at;
  return NOT_THERE;
}

/** Starts afresh. @param skipMarker whether the marker that the scan stands at is left behind */
function startAfresh(scan: Scan, skipMarker: bool): void {
  if (skipMarker) scan.position += 2;
  scan.bits = 0;
  scan.count = 0;
  scan.padding = 0;
  scan.invalid = 0;
  scan.endOfBandRun = 0;
}

/** T.81 F.2.1.3.1: restart markers count 0 … 7 and around. A search that starved goes on when it is called again. */
export function restart(decoder: Decoder, scan: Scan): i32 {
  const expected = scan.nextRestart;
  const result = scan.ended != 0 ? FINE : findRestart(decoder, scan, expected);
  if (result != STARVED) {
    scan.nextRestart = (expected + 1) & 7;
    scan.mcusToRestart = scan.restartInterval;
  }
  return result;
}

function findRestart(decoder: Decoder, scan: Scan, expected: i32): i32 {
  for (let index = 0; index < scan.partCount; index++) partAt(scan, index).prediction = 0;
  scan.skipping = 0;
  // A marker that should come soon means that this interval is lost; one that should have come before is left behind; one
  // far off is taken for the expected one, damaged.
  let number = nextRestartNumber(scan);
  for (; number >= 0; number = nextRestartNumber(scan)) {
    const ahead = (number - expected) & 7;
    if (ahead == 1 || ahead == 2) {
      startAfresh(scan, false);
      return giveUp(scan);
    }
    startAfresh(scan, true);
    if (ahead < 6) return FINE;
  }
  return number == NOT_THERE ? STARVED : endData(decoder, scan);
}

/** Judges an MCU that used bits which are not in the file or do not make sense. */
export function endDamagedMcu(decoder: Decoder, scan: Scan): i32 {
  // Behind the end of the data zeros were read, which may be no code. They stand for a marker that the scan stands at, so it
  // is in the window if there is one.
  if (scan.count < scan.padding && nextRestartNumber(scan) < 0) return endData(decoder, scan);
  if (scan.restartInterval == 0) return CORRUPT;
  return giveUp(scan);
}
