// The sentences around the figure; their templates come with the data.

/** What is said when segment `segment` is read and `token` is looked at. */
function sentences(data, { segment, token }) {
  const { segmentLength, layers, depth, words, tokens } = data;
  const memory = depth * segmentLength;
  const place = token % segmentLength;
  const isLast = place === segmentLength - 1;
  const reach = token - data.earliest[token].at(-1);
  const alone = token - data.alone[token];
  const count = (number) => fill(number === 1 ? words.oneToken : words.someTokens, { number });
  const values = {
    token: tokens[token],
    place,
    own: Math.floor(token / segmentLength),
    layers,
    memory,
    alone,
    reached: count(reach),
    full: place + layers * memory,
    start: isLast ? "L − 1" : "i",
    ...kept(data, segment),
  };
  const say = (template) => fill(template, values);
  const [any, last] = depth ? [words.withAny, words.withLast] : [words.noneAny, words.noneLast];
  return {
    reach,
    alone,
    with: say(isLast ? last : any),
    why: say(reach === values.full ? words.whole : words.cut),
    without: say(depth ? words.without : words.same),
    because: say(depth ? words.because : words.becauseSame),
    story: say(story(data, segment)),
    spoken: say(words.spoken),
  };
}

/** Which segments memory holds while one is read, and which it has lost. */
function kept({ depth, words }, segment) {
  const values = {
    segment,
    depth,
    first: Math.max(0, segment - depth),
    before: segment - 1,
    forgotten: segment - depth - 1,
  };
  const names = [words.oneSegment, words.twoSegments];
  return {
    ...values,
    held: fill(names[values.before - values.first] ?? words.someSegments, values),
    lost: fill(values.forgotten ? words.someLost : words.oneLost, values),
  };
}

function story({ depth, layers, words }, segment) {
  if (segment === 0) return words.storyEmpty;
  if (depth === 0) return words.storyNone;
  if (segment < depth) return words.storyFilling;
  if (segment === depth) return words.storyFull;
  return layers > 1 ? words.storyForgets : words.storyForgetsOne;
}
