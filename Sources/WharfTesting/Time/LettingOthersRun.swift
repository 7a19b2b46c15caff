/// Lets other tasks run until `condition` holds, or they had so many chances: puts what they do between two steps of this one.
///
/// For conformers that are wrong by taking two steps. Where nobody else is at work it returns after `chances`.
package func letOthersRun(chances: Int = 200, until condition: () -> Bool) async {
    for _ in 0..<chances {
        if condition() { return }
        await Task.yield()
    }
}
