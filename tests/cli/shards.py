"""A model and files to transform by shards; what the tests of shards share."""
import os

from program import UNUSABLE, ProgramTest, cluster_points, npy

COUNTS = [7, 1, 12, 5, 9, 3]
RECORDS = "isogon-shards"


class ShardTest(ProgramTest):
    """A model of svd, 8 numbers to 3, and six files to transform."""

    def setUp(self):
        super().setUp()
        self.write("x.npy", npy(cluster_points(80)))
        self.fit("map.safetensors")
        os.mkdir(self.path("in"))
        self.parts = [cluster_points(count, seed=i) for i, count in enumerate(COUNTS)]
        for i, part in enumerate(self.parts):
            self.write("in/part-%02d.npy" % i, npy(part))

    def fit(self, model, method="svd", dim=3):
        self.succeeds("embed", "x.npy", "-o", "y.npy", "--dim", dim, "--method", method, "--overwrite", "--model", model)

    def transform(self, *more, model="map.safetensors", pattern="in/*.npy", out="out/"):
        return ["transform", model, pattern, "-o", out, *more]

    def outputs(self, out="out"):
        return sorted(name for name in os.listdir(self.path(out)) if name != RECORDS)

    def contents(self, out="out"):
        return {name: self.read(os.path.join(out, name)) for name in self.outputs(out)}

    def expected(self):
        """The outputs of a run that nothing has befallen."""
        self.succeeds(*self.transform(out="whole/"))
        return self.contents("whole")

    def states(self, *more):
        code, out, _ = self.run_program(*self.transform("--check", "--json", *more))
        result = self.parse_one_object(out)
        self.assertEqual(code, 0 if all(file["state"] == "finished" for file in result["files"]) else UNUSABLE)
        return {os.path.basename(file["output"]): file["state"] for file in result["files"]}

    def made(self, *more, **keywords):
        """The outputs that a run makes."""
        result = self.json(*self.transform(*more, **keywords))
        return [os.path.basename(file["output"]) for file in result["files"] if file["made"]]

    def refuses(self, code, *more, says=(), **keywords):
        """Fails before work starts: all of `says` is said, and nothing is written anywhere."""
        before = self.everything()
        got, out, err = self.run_program(*self.transform(*more, **keywords))
        self.assertEqual((got, out), (code, ""), err)
        self.assertTrue(all(line.startswith("isogon: ") for line in err.splitlines()), err)
        for word in says:
            self.assertIn(word, err)
        self.assertEqual(self.everything(), before)
        self.fails_in_json(code, *self.transform(*more, **keywords))
        return err

    def everything(self):
        return {os.path.join(folder, name): self.read(os.path.join(folder, name))
                for folder, _, names in os.walk(self.folder) for name in names}
