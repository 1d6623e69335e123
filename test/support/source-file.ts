import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import ts from 'typescript';

/** One module of the tree, as the architecture test sees it. Paths are relative to the root, with `/`. */
export interface SourceFile {
  readonly path: string;
  readonly lines: number;
  /** What it imports or re-exports, types included, as written. */
  readonly specifiers: readonly string[];
  /** The files that the relative ones among them lead to. */
  readonly imports: readonly string[];
  /** Names that it exports. */
  readonly exports: readonly string[];
  /** Whether it only passes on what others export. */
  readonly barrel: boolean;
  /** Every identifier in it; `a.b` is there as `a.b` too. Comments are not looked at. */
  readonly identifiers: ReadonlySet<string>;
}

/** Reads all TypeScript modules under `folder`, except those whose path begins with one of `except`. */
export function readSourceFiles(root: string, folder: string, except: readonly string[] = []): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !except.some((start) => path.startsWith(start)))
    .sort()
    .map((path) => read(root, path));
}

function read(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const parsed = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const specifiers = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
  return {
    path,
    lines: text.split('\n').length - 1,
    specifiers,
    imports: specifiers.filter((name) => name.startsWith('.')).map((name) => target(path, name)),
    exports: parsed.statements.flatMap(exportedNames),
    barrel: parsed.statements.length > 0 && parsed.statements.every(passesOn),
    identifiers: identifiers(parsed),
  };
}

/** Whether there is a file is the compiler's to say. */
function target(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier);
}

function passesOn(statement: ts.Statement): boolean {
  return ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
}

function exportedNames(statement: ts.Statement): string[] {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause } = statement;
    if (exportClause === undefined) return ['*'];
    return ts.isNamedExports(exportClause)
      ? exportClause.elements.map(({ name }) => name.text)
      : [exportClause.name.text];
  }
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as ts.DeclarationStatement;
  return name === undefined ? ['default'] : [name.getText()];
}

function identifiers(parsed: ts.SourceFile): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.add(node.text);
    if (ts.isPropertyAccessExpression(node) || ts.isQualifiedName(node)) found.add(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return found;
}

/** The file's name without folder and extension. */
export function nameOf(path: string): string {
  return basename(path, '.ts');
}
