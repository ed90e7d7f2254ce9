// The table of one moment: board, players, pantry and cards, as elements.

const SVG = "http://www.w3.org/2000/svg";

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat(9));
  return made;
}

const drawn = (name, attributes) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

// Every sprite once, to be used by name: rows of letters, each letter a colour.
export function spriteSheet({ palette, sprites }) {
  const sheet = drawn("svg", { class: "away", "aria-hidden": "true" });
  for (const [code, rows] of Object.entries(sprites)) {
    const symbol = drawn("symbol", { id: `sprite-${code}`, viewBox: `0 0 ${rows[0].length} ${rows.length}` });
    rows.forEach((row, y) => {
      for (const { 0: run, index } of row.matchAll(/([^.])\1*/g)) {
        symbol.append(drawn("rect", { x: index, y, width: run.length, height: 1, fill: palette[run[0]] }));
      }
    });
    sheet.append(symbol);
  }
  return sheet;
}

function sprite(code) {
  const picture = drawn("svg", { class: "sprite", viewBox: "0 0 13 7", "aria-hidden": "true" });
  picture.append(drawn("use", { href: `#sprite-${code}` }));
  return picture;
}

const LETTERS = "abcdefghij";

const squareName = (square, columns) => `${LETTERS[square % columns]}${Math.floor(square / columns) + 1}`;

export class Drawing {
  constructor(sentences, sprites) {
    this.sentences = sentences;
    this.sprites = sprites;
  }

  chip(code, text = undefined) {
    const { names } = this.sentences;
    return element("span", { class: `chip tile-${code}` }, text ?? names.ingredients[code] ?? code);
  }

  // The tile on top of a square, as the app draws it: its picture, its name, its edge.
  tile(code) {
    const name = this.sentences.names.ingredients[code] ?? code;
    const short = this.sentences.names.short[code] ?? name;
    const picture = this.sprites[code] ? [sprite(code)] : [];
    return element("span", { class: `tile tile-${code}` }, picture,
      element("span", { class: "name", title: name }, element("span", { class: "long" }, name),
        element("span", { class: "short", "aria-hidden": "true" }, short)));
  }

  board(game, position, before) {
    const head = element("tr", {}, element("td"),
      Array.from({ length: position.columns }, (_, n) => element("th", { scope: "col" }, LETTERS[n])));
    const rows = Array.from({ length: position.rows }, (_, row) => element("tr", {},
      element("th", { scope: "row" }, String(row + 1)),
      Array.from({ length: position.columns }, (_, column) =>
        this.square(game, position, before, row * position.columns + column))));
    const caption = element("caption", { class: "unseen" }, this.sentences.plain("page.board"));
    return element("table", { class: "board" }, caption, element("thead", {}, head), element("tbody", {}, rows));
  }

  square(game, position, before, square) {
    const { sentences } = this;
    const stack = position.squares[square];
    const covered = position.covered.includes(square);
    const fresh = before !== undefined && (before.squares[square].join() !== stack.join() ||
      before.covered.includes(square) !== covered || before.cups.includes(square) !== position.cups.includes(square));
    const code = game.edition.ingredients[stack.at(-1) - 1]?.[0];
    const inside = [];
    if (position.cups.includes(square)) {
      inside.push(element("span", { class: "tile cup" }, sprite("cup"),
        element("span", { class: "name" }, sentences.plain("page.cup"))));
    } else if (code !== undefined) {
      inside.push(this.tile(code));
    } else {
      inside.push(element("span", { class: "tile empty" }, element("span", { class: "unseen" }, sentences.plain("page.empty"))));
    }
    if (stack.length > 1) {
      inside.push(element("span", { class: "height", title: sentences.plain("legend.stack") }, `≡${stack.length}`));
    }
    if (covered) inside.push(element("span", { class: "unseen" }, sentences.plain("legend.wasabi")));
    const first = position.covers.includes(square);
    const label = first ? [element("span", { class: "label", "aria-hidden": "true" }, sentences.names.effects.wasabi ?? "")] : [];
    const classes = ["square", fresh && "fresh", covered && "covered", first && "first"].filter(Boolean).join(" ");
    return element("td", { class: classes, "data-square": squareName(square, position.columns) }, inside, label);
  }

  players(game, position) {
    const totals = position.seats.map(({ points, cubes }) => points + cubes);
    const most = Math.max(...totals, 1);
    return position.seats.map((seat, place) => this.player(game, position, seat, place, totals[place], most));
  }

  player(game, position, seat, place, total, most) {
    const { sentences } = this;
    const { names } = sentences;
    const winner = position.outcome?.winners.includes(place);
    const facts = [sentences.worth(seat.points, seat.cubes)];
    if (seat.gone) facts.push(sentences.plain("seat.gone"));
    const cards = seat.cards.map((card) => {
      const [code] = game.edition.actions[card] ?? ["?"];
      return element("span", { class: "card" }, names.actions[code] ?? code);
    });
    const hand = seat.tiles.map((tile) => this.chip(game.edition.ingredients[tile - 1]?.[0] ?? "?"));
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    bar.style.setProperty("--share", total / most);
    const lists = [
      this.labelled("page.hidden", this.backs(seat, game)),
      this.labelled("seat.tiles", hand),
      this.labelled("seat.cards", cards),
    ];
    return element("li", { class: `player seat-${place + 1}${place === position.mover ? " moves" : ""}${seat.gone ? " gone" : ""}` },
      element("div", { class: "who" },
        element("span", { class: "number", "aria-hidden": "true" }, String(place + 1)),
        element("b", {}, game.players[place].name || "?"),
        game.players[place].bot ? element("span", { class: "faint" }, sentences.plain("seat.bot")) : [],
        winner ? element("span", { class: "crown" }, sentences.plain("page.won")) : [],
        element("span", { class: "total" }, String(total)),
        element("span", { class: "unseen" }, sentences.plain("seat.total"))),
      bar,
      element("p", { class: "faint" }, facts.join(" · ")),
      lists,
      seat.claimed.length ? element("ul", { class: "recipes", "aria-label": sentences.plain("page.completed") },
        seat.claimed.map((one) => this.recipe(game, one))) : []);
  }

  backs(seat, game) {
    const lengths = seat.recipes.map((card) => (card >> 8) & 255);
    return lengths.map((length) => element("span", { class: "back" }, String(length)));
  }

  labelled(key, items) {
    if (items.length === 0) return [];
    return element("p", { class: "row" }, element("span", { class: "faint" }, this.sentences.plain(key)), " ",
      items.flatMap((item) => [item, " "]));
  }

  recipe(game, { recipe, cubes }) {
    const [id, tiles, points] = game.edition.recipes[recipe] ?? ["?", [], 0];
    return element("li", {},
      element("span", { class: "what" }, element("b", {}, this.sentences.names.recipes[id] ?? id),
        element("span", { class: "points" }, ` ${this.sentences.worth(this.points(game, tiles, points), cubes)}`)),
      element("span", { class: "strip" }, tiles.map((tile) => this.chip(game.edition.ingredients[tile - 1]?.[0] ?? "?"))));
  }

  // In the first edition the token of a recipe's length has the points.
  points(game, tiles, points) {
    return points || (game.edition.tokens.find(([length]) => length === tiles.length)?.[2] ?? 0);
  }

  pantry(game, position) {
    return position.pantry.map((count, n) => {
      const [code] = game.edition.ingredients[n];
      return element("li", { class: count ? "" : "none" }, this.chip(code), " ", element("span", {}, String(count)));
    });
  }

  cards(game, position) {
    const { names } = this.sentences;
    const there = position.cards.filter(({ count }) => count > 0).map(({ card, count }) => {
      const [code] = game.edition.actions[card] ?? ["?"];
      return element("span", { class: "card" }, `${names.actions[code] ?? code}${count > 1 ? ` ×${count}` : ""}`);
    });
    const pool = position.pool === undefined ? [] : [element("span", { class: "faint" }, `${this.sentences.plain("table.pool")} ${position.pool}`)];
    return [...there, ...pool].flatMap((one) => [one, " "]);
  }

  decks(position) {
    return position.decks.filter(({ deck }) => deck > 1).flatMap(({ deck, cards }) =>
      [element("span", { class: "back" }, String(deck)), ` ×${cards} `]);
  }
}

