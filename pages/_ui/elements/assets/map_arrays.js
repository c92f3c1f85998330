// Fetches what the message names by address, once, and keeps it while a message names it.

const GONE = "What the map shows is no longer on the server. Reload the page to get it again."
const TYPES = { float32: Float32Array, int32: Int32Array, uint8: Uint8Array }

export class Arrays {
  constructor(store) {
    this.store = store
    this.known = new Map() // address -> array, or a promise of it
    this.gone = new Set() // addresses that were in vain in this round
    this.round = 0 // how often Python has run
    this.asked = Infinity // the round in which it was asked to make again what is gone
  }

  // Python has run: what was gone may be there again.
  again() {
    this.round += 1
    this.gone.clear()
    this.fetch()
  }

  // Starts to fetch what is not there; the store hears of each block as it comes.
  fetch() {
    const wanted = this.wanted()
    const addresses = new Set(wanted.map(({ blob }) => blob.address))
    for (const address of this.known.keys()) if (!addresses.has(address)) this.known.delete(address)
    for (const { blob, put } of wanted) {
      const known = this.known.get(blob.address)
      if (known && !(known instanceof Promise)) put(known)
      else if (!known && !this.gone.has(blob.address)) this.known.set(blob.address, this.load(blob))
    }
  }

  // {blob, put} of everything the message names. The last places stay until the next have come.
  wanted() {
    const { layout, colouring, norms, labels, followed, levels } = this.store.message
    const { arrays } = this.store
    const named = { norms, labels, values: colouring.values, opened: followed?.opened }
    const wanted = [{ blob: layout.places, put: (array) => this.put(arrays, "places", array) }]
    for (const [name, blob] of Object.entries(named)) {
      if (blob) wanted.push({ blob, put: (array) => this.put(arrays, name, array) })
      if (!blob || !this.known.has(blob.address)) this.put(arrays, name, null)
    }
    if (arrays.of.length !== levels.length) arrays.of = levels.map(() => null)
    levels.forEach(({ of }, level) => {
      wanted.push({ blob: of, put: (array) => this.put(arrays.of, level, array) })
      if (!this.known.has(of.address)) this.put(arrays.of, level, null)
    })
    return wanted
  }

  put(holder, name, array) {
    if (holder[name] === array) return
    holder[name] = array
    this.store.touch("arrays")
    if (name === "places" && array) this.store.moved()
    this.store.settle()
  }

  async load(blob) {
    const { address } = blob
    const { round } = this
    try {
      const answer = await fetch(new URL(address, document.baseURI))
      if (!answer.ok) throw new Error(answer.statusText)
      const array = blob.type === "json" ? await answer.json() : new TYPES[blob.type](await answer.arrayBuffer())
      if (!this.known.has(address)) return // no longer wanted
      this.known.set(address, array)
      if (round > this.asked) this.asked = Infinity
      this.store.set({ trouble: "" })
      this.fetch()
    } catch {
      if (!this.known.delete(address)) return
      this.gone.add(address)
      this.missing(round)
    }
  }

  // A block was gone in this round. Python makes it at its next run, which a choice starts, once.
  missing(round) {
    if (round > this.asked) this.store.set({ trouble: GONE })
    if (this.asked < Infinity) return
    this.asked = round
    this.store.choose({})
  }
}
