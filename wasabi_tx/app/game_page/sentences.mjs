// What was done, in words: the sentences of the program around the steps that were signed.

const PLACEHOLDER = /\{([a-z]+)\}/;

// A sentence as a list of words and nodes; the values may be either.
export function fill(sentence, values) {
  const form = typeof sentence === "string" ? sentence : sentence[values.count === 1 ? "one" : "other"];
  return form.split(PLACEHOLDER).map((part, n) => (n % 2 ? (values[part] ?? "") : part)).filter((part) => part !== "");
}

// The parts with commas between them, and the language's "and" before the last.
function listed(parts, and) {
  return parts.flatMap((part, n) => [...(n === 0 ? [] : n === parts.length - 1 ? [and] : [", "]), ...part]);
}

export class Sentences {
  constructor(words, names, nodes) {
    this.words = words;
    this.names = names;
    this.nodes = nodes;
  }

  say(key, values = {}) {
    return fill(this.words[key], values);
  }

  plain(key, values = {}) {
    return this.say(key, values).join("");
  }

  worth(points, cubes) {
    const parts = [];
    if (points > 0 || cubes === 0) parts.push(this.say("worth.points", { count: points }));
    if (cubes > 0) parts.push(this.say("worth.cubes", { count: cubes }));
    return listed(parts, this.words["worth.and"]).join("");
  }

  // The whole of a move: `Mochi put Tuna on d3 and completed Traffic Light: 4 points.`
  move(game, n) {
    const { place, dealer, steps, position } = game.moments[n];
    const before = game.moments[n - 1]?.position;
    const about = { game, place, before, position, given: 0 };
    const told = steps.map((step) => this.step(step.split(" "), about)).filter((words) => words !== undefined);
    if (n === 0 && told.length === 0) return [this.words["replay.beginning"]];
    const who = dealer ? [`${this.words["log.dealer"]}:`] : [this.nodes.player(game, place)];
    const nothing = [this.words[steps.length === 0 ? "page.dealt" : "log.nothing"]];
    return [...who, " ", ...listed(told.length ? told : [nothing], this.words["worth.and"]), "."];
  }

  // One step; nothing for a step that only ends a part of a turn.
  step([verb, ...args], about) {
    const { nodes, names } = this;
    const tile = () => nodes.tile(args[0]);
    const card = (code) => nodes.strong(names.actions[code] ?? code);
    const played = nodes.strong(names.effects[verb] ?? verb);
    const lengths = args.map((one) => one.split(".")[0]).join(" ");
    switch (verb) {
      case "place": return this.say("log.place", { tile: tile(), square: args[1] });
      case "stack":
      case "spicy":
        return args.length ? this.say("log.spicy-square", { played, tile: tile(), square: args[1] })
          : this.say("log.spicy", { played });
      case "chop": return this.say(`log.chop${args.length > 1 ? "-square" : ""}`, { played, square: args[0], other: args[1] });
      case "switch": return this.say("log.switch", { played, square: args[0], other: args[1] });
      case "cup": return this.say("log.cup", { square: args[0], other: args[1] });
      case "wasabi": return this.say("log.wasabi", { played, square: args[0] });
      case "claim":
      case "serve": return this.completed(verb, args[1], about);
      case "pass":
      case "exchange": return this.say(`log.${verb}${args.length ? "" : "-nothing"}`, { lengths });
      case "draw": return this.say("log.draw", { deck: args[0] });
      case "take": return this.say(`log.take${args.length > 1 ? "-square" : ""}`, { card: card(args[0]), square: args[1] });
      case "gain":
      case "discard": return this.say(`log.${verb}`, { card: card(args[0]) });
      case "turn": return [card(args[1])];
      case "tile": return this.say("log.tile", { tile: tile() });
      case "give": return this.given(tile(), about);
      case "pool":
      case "forgo":
      case "leave":
      case "exclude": return this.say(`log.${verb}`);
      case "done": return undefined;
      default: return [[verb, ...args].join(" ")];
    }
  }

  completed(verb, id, { game, place, before, position }) {
    const number = game.edition.recipes.findIndex(([recipe]) => recipe === id);
    const [, , points] = game.edition.recipes[number] ?? [id, [], 0];
    const held = (before?.seats[place].claimed ?? []).length;
    const cubes = position.seats[place].claimed.slice(held).find(({ recipe }) => recipe === number)?.cubes ?? 0;
    const values = { recipe: this.nodes.strong(this.names.recipes[id] ?? id), points: this.nodes.points(this.worth(points, cubes)) };
    return this.say(`log.${verb}${cubes ? "-style" : ""}`, values);
  }

  // Starting tiles go to whoever holds more of them now.
  given(tile, about) {
    const more = about.position.seats.flatMap(({ tiles }, seat) =>
      tiles.length > (about.before?.seats[seat].tiles.length ?? 0) ? [seat] : []);
    const seat = more[Math.min(about.given++, more.length - 1)];
    return this.say("log.give", { tile, name: seat === undefined ? "?" : this.nodes.player(about.game, seat) });
  }
}
