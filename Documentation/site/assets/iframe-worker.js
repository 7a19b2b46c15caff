// Browsers start no worker from the file system. There the search runs in a hidden frame instead.
// The offline plugin would load a shim from the network, but not if a polyfill has this name.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      this.started = new Promise((resolve) => {
        // Firefox replaces the document of the frame until this event.
        frame.addEventListener("load", () => {
          const inner = frame.contentWindow
          inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }))
          const script = inner.document.createElement("script")
          script.onload = () => resolve(inner)
          script.src = new URL(url, document.baseURI)
          inner.document.body.append(script)
        }, { once: true })
      })
      document.body.append(frame)
    }

    async postMessage(data) {
      const inner = await this.started
      inner.dispatchEvent(new inner.MessageEvent("message", { data }))
    }
  }
}
