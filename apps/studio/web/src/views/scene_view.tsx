// The scene: the mechanism to be pulled about, the generalized friction cone beside it, modes and numbers below that.
import { useState } from 'preact/hooks';
import { useLive } from '../live';
import { chosenMode, ModeTable, stackedForces } from '../mode_table';
import { ConeView } from '../scene/cone_view';
import { ContactNumbers } from '../scene/contact_numbers';
import { pull, slipPaths } from '../scene/drag';
import { MechanismView, type Figure } from '../scene/mechanism_view';
import { schematicFigures } from '../scene/schematic';
import { set, update, useStore } from '../store';
import type { Analysis, AnalyzeReply, Grip, Hello, Place, Variable } from '../types';
import { Select, useKeptRoom } from '../ui';
import './scene.css';

// Of the answer, not of the question: while a new scene is asked for, the old one is still to be seen.
function keyOf(reply: AnalyzeReply): string {
  return `${String(reply.analysis['scene'])} ${reply.analysis.mechanism}`;
}

function presentFigure(reply: AnalyzeReply, forces: number[]): Figure | null {
  if (!reply.drawing) return null;
  const { contacts, u } = reply.analysis;
  return {
    drawing: reply.drawing,
    opacity: 1,
    forces,
    velocities: u,
    mu: contacts.map((contact) => contact.mu),
    closed: contacts.map((contact) => contact.closed),
    bilateral: contacts.map((contact) => contact.bilateral),
  };
}

function advice(movable: boolean, slips: boolean): string {
  const pulls = [...(movable ? ['a body'] : []), ...(slips ? ['the ring of the velocity'] : [])].join(' or ');
  return `${pulls ? `Pull ${pulls}; the` : 'The'} wheel zooms, a double click shows all.`;
}

function Mechanism(props: { reply: AnalyzeReply; forces: number[]; variables: Variable[] }) {
  const { reply, forces, variables } = props;
  const [problem, setProblem] = useState('');
  const figure = presentFigure(reply, forces);
  if (!figure) return <Schematic reply={reply} forces={forces} />;
  const paths = slipPaths(variables, reply.analysis.dimension - 1);
  const movable = variables.some((variable) => variable.group === 'state');
  const setSlip = (_contact: number, u_t: number[]) => set(Object.fromEntries(paths.map((path, k) => [path, u_t[k]!])));
  return (
    <div class="stage" data-export="picture">
      <MechanismView
        figures={[figure]}
        sceneKey={keyOf(reply)}
        {...(movable ? { onDrag: (grip: Grip, to: Place) => pull(grip, to, setProblem) } : {})}
        onDragVelocity={setSlip}
        canDragVelocity={(contact) => contact === 0 && paths.length > 0}
      />
      {problem ? <p class="error" role="alert">{problem}</p> : <p class="hint">{advice(movable, paths.length > 0)}</p>}
    </div>
  );
}

// Scenes without a mechanism: every contact in its own frame.
function Schematic(props: { reply: AnalyzeReply; forces: number[] }) {
  return (
    <div class="stage" data-export="picture">
      <MechanismView figures={schematicFigures(props.reply.analysis, props.forces)} sceneKey={keyOf(props.reply)} />
      <p class="hint">Given by its contacts alone: no bodies to draw, each contact in its own frame.</p>
    </div>
  );
}

function ContactPicker(props: { names: string[]; chosen: number }) {
  if (props.names.length < 2) return <h2>Contact {props.names[0]}</h2>;
  return (
    <label class="contact-picker">
      Contact{' '}
      <Select
        label="contact"
        testid="cone-contact"
        value={String(props.chosen)}
        options={props.names.map((text, index) => ({ value: String(index), text }))}
        onChange={(index) => update({ contact: Number(index) })}
      />
    </label>
  );
}

function Cone(props: { reply: AnalyzeReply; index: number }) {
  const shape = props.reply.cones[props.index];
  const contact = props.reply.analysis.contacts[props.index]!;
  if (shape) return <ConeView shape={shape} contact={contact} />;
  return <p class="hint" data-testid="cone">No generalized friction cone here: {String(contact['W_tt_reason'] ?? 'the normal response W_nn of this contact is not positive')}.</p>;
}

function Modes(props: { analysis: Analysis }) {
  return (
    <section class="panel modes-panel" aria-label="modes">
      <div ref={useKeptRoom<HTMLDivElement>()}><ModeTable analysis={props.analysis} /></div>
    </section>
  );
}

export function SceneView(_props: { hello: Hello }) {
  const state = useStore();
  const live = useLive();
  const reply = live.reply;
  if (!reply) return <div class="view" data-testid="view-scene" />;
  const { analysis } = reply;
  const forces = stackedForces(analysis, chosenMode(analysis, state.mode));
  const index = Math.min(state.contact, analysis.contacts.length - 1);
  const contact = analysis.contacts[index];
  return (
    <div class="view scene-view" data-testid="view-scene">
      <Mechanism reply={reply} forces={forces} variables={live.scene?.variables ?? []} />
      <div class={reply.cones[index] ? 'beside' : 'beside no-cone'}>
        {contact && (
          <section class="panel contact-panel" aria-label={`contact ${contact.name}`}>
            <ContactPicker names={analysis.contacts.map((one) => one.name)} chosen={index} />
            <Cone reply={reply} index={index} />
            <ContactNumbers contact={contact} dimension={analysis.dimension} />
          </section>
        )}
        <Modes analysis={analysis} />
      </div>
    </div>
  );
}
